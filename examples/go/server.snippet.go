// ... existing code ...

func (s *Server) handleAdd(w http.ResponseWriter, r *http.Request) {
	var note Note
	body := http.MaxBytesReader(w, r.Body, 2*maxBody)
	if err := json.NewDecoder(body).Decode(&note); err != nil {
		s.fail(w, http.StatusBadRequest, err)
		return
	}
	// ... existing code ...
	w.Header().Set("Location", fmt.Sprintf("/notes/%d", added.ID))
	s.reply(w, http.StatusCreated, added)
}

// ... existing code ...

func statusOf(err error) int {
	switch {
	// ... existing code ...
	case errors.Is(err, ErrConflict):
		return http.StatusPreconditionFailed
	default:
		// ... existing code ...
	}
}

// ... existing code ...
