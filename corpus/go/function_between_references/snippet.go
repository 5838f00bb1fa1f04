// ... existing code ...

func headerOr(r *http.Request, name, other string) string {
	if value := r.Header.Get(name); value != "" {
		return value
	}
	return other
}

// ... existing code ...
