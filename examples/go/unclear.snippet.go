// ... existing code ...

	s.mu.Lock()
	defer s.mu.Unlock()

	s.writes++

// ... existing code ...
