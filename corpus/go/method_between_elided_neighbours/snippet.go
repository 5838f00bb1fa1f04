// ... existing code ...

// Snapshot lists the usage of all clients, the busiest first.
func (l *Limiter) Snapshot() []Usage {
	// ... existing code ...
}

// Clients lists the names of all clients.
func (l *Limiter) Clients() []string {
	l.mu.Lock()
	defer l.mu.Unlock()

	names := make([]string, 0, len(l.windows))
	for client := range l.windows {
		names = append(names, client)
	}
	sort.Strings(names)
	return names
}

// sweep drops windows that have ended.
func (l *Limiter) sweep() int {
	// ... existing code ...
}

// ... existing code ...
