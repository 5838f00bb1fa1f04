// ... existing code ...

func (s *Server) addComment(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r)
	if err != nil {
		s.fail(w, err)
		return
	}
	var input struct {
		Author string `json:"author"`
		Text   string `json:"text"`
	}
	if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
		s.fail(w, fmt.Errorf("%w: %v", errInvalid, err))
		return
	}
	if input.Author == "" {
		input.Author = "anonymous"
	}
	comment, err := s.board.Comment(id, input.Author, input.Text)
	if err != nil {
		s.fail(w, err)
		return
	}
	s.write(w, http.StatusCreated, comment)
}

// ... existing code ...
