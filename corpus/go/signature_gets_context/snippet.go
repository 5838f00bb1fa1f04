// ... existing code ...

// Take counts one request of a client.
func (l *Limiter) Take(ctx context.Context, client, planName string) (Usage, error) {
	if err := ctx.Err(); err != nil {
		return Usage{}, err
	}
	// ... existing code ...
}

// ... existing code ...

// Middleware counts each request before it is served.
func (l *Limiter) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client := clientOf(r)
		usage, err := l.Take(r.Context(), client, planOf(r))
		// ... existing code ...
	})
}

// ... existing code ...
