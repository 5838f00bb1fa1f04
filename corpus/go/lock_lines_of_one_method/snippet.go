// ... existing code ...

// Reset forgets what a client has used.
func (l *Limiter) Reset(client string) {
	l.mu.Lock()
	defer l.mu.Unlock()

	delete(l.windows, client)
	l.logger.Printf("reset %s", client)
}

// ... existing code ...
