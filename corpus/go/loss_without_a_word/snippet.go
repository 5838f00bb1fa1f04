// ... existing code ...

// Run sweeps until the context ends.
func (l *Limiter) Run(ctx context.Context) error {
	ticker := time.NewTicker(sweepEvery)
	for {
		select {
		case <-ctx.Done():
			l.logger.Print("sweeper stops")
			return ctx.Err()
		// ... existing code ...
		}
	}
}

// ... existing code ...
