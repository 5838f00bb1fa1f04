// ... existing code ...

// Task is one card.
type Task struct {
	// ... existing code ...
	Labels   []string  `json:"labels,omitempty"`
	Due      time.Time `json:"due,omitzero"`
	Version  int       `json:"version"`
	// ... existing code ...
}

// ... existing code ...

// Assign changes a task's owner.
func (b *Board) Assign(id, version int, owner string) (Task, error) {
	// ... existing code ...
}

// Schedule changes the day a task is due.
func (b *Board) Schedule(id, version int, due time.Time) (Task, error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	task, ok := b.tasks[id]
	if !ok {
		return Task{}, fmt.Errorf("task %d: %w", id, errNotFound)
	}
	if task.Version != version {
		return *task, fmt.Errorf("task %d: %w", id, errConflict)
	}
	task.Due = due
	task.Version++
	task.Modified = b.now()
	if err := b.save(); err != nil {
		return Task{}, err
	}
	return *task, nil
}

// ... existing code ...

// Routes lists what the server answers.
func (s *Server) Routes() http.Handler {
	// ... existing code ...
	mux.HandleFunc("POST /tasks/{id}/owner", s.assignTask)
	mux.HandleFunc("POST /tasks/{id}/due", s.scheduleTask)
	// ... existing code ...
}

// ... existing code ...

func (s *Server) assignTask(w http.ResponseWriter, r *http.Request) {
	// ... existing code ...
}

func (s *Server) scheduleTask(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r)
	if err != nil {
		s.fail(w, err)
		return
	}
	var input struct {
		Version int       `json:"version"`
		Due     time.Time `json:"due"`
	}
	if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
		s.fail(w, fmt.Errorf("%w: %v", errInvalid, err))
		return
	}
	task, err := s.board.Schedule(id, input.Version, input.Due)
	if err != nil {
		s.fail(w, err)
		return
	}
	s.write(w, http.StatusOK, task)
}

// ... existing code ...
