// ... existing code ...

func (s *Server) Routes() http.Handler {
	// ... existing code ...
	mux.HandleFunc("POST /tasks/{id}/comments", s.addComment)
	// Plandex: removed code
	return s.logged(mux)
}

// ... existing code ...

	s.write(w, http.StatusCreated, comment)
}

// Plandex: removed code

func pathID(r *http.Request) (int, error) {
	// ... existing code ...
}

// ... existing code ...
