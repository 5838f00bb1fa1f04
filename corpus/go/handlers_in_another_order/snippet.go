// ... existing code ...

func (l *Limiter) handleReset(w http.ResponseWriter, r *http.Request) {
	client := r.PathValue("client")
	l.Reset(client)
	l.logger.Printf("%s was reset", client)
	w.WriteHeader(http.StatusNoContent)
}

// ... existing code ...

func (l *Limiter) handleShow(w http.ResponseWriter, r *http.Request) {
	client := r.PathValue("client")
	usage, ok := l.Peek(client)
	if !ok {
		l.logger.Printf("no usage of %s", client)
		http.NotFound(w, r)
		return
	}
	writeJSON(w, http.StatusOK, usage)
}

// ... existing code ...
