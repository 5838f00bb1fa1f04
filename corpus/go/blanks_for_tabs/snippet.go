// ... existing code ...

func (l *Limiter) handleShow(w http.ResponseWriter, r *http.Request) {
    usage, ok := l.Peek(r.PathValue("client"))
    if !ok {
        http.NotFound(w, r)
        return
    }
    if time.Now().After(usage.Until) {
        usage.Used = 0
    }
    writeJSON(w, http.StatusOK, usage)
}

// ... existing code ...
