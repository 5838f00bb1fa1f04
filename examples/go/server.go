// Package notes serves short notes over HTTP and keeps them in memory.
package notes

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ErrNotFound is returned for an id that no note has.
var ErrNotFound = errors.New("note not found")

// ErrConflict is returned when a note was changed by someone else in the meantime.
var ErrConflict = errors.New("note was changed in the meantime")

const (
	maxTitle = 120
	maxBody  = 64 << 10
	pageSize = 20
)

// Note is one note.
type Note struct {
	ID      int64     `json:"id"`
	Title   string    `json:"title"`
	Body    string    `json:"body"`
	Tags    []string  `json:"tags,omitempty"`
	Version int       `json:"version"`
	Changed time.Time `json:"changed"`
}

// Store keeps notes. It is safe for use by several goroutines.
type Store struct {
	mu    sync.RWMutex
	next  int64
	notes map[int64]Note
	now   func() time.Time
}

// NewStore makes an empty store.
func NewStore() *Store {
	return &Store{
		next:  1,
		notes: make(map[int64]Note),
		now:   time.Now,
	}
}

// Add stores a new note and returns it with its id.
func (s *Store) Add(note Note) (Note, error) {
	if err := validate(note); err != nil {
		return Note{}, err
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	note.ID = s.next
	note.Version = 1
	note.Changed = s.now()
	s.next++
	s.notes[note.ID] = note
	return note, nil
}

// Get returns the note with the given id.
func (s *Store) Get(id int64) (Note, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()

	note, ok := s.notes[id]
	if !ok {
		return Note{}, fmt.Errorf("%w: %d", ErrNotFound, id)
	}
	return note, nil
}

// Update replaces a note if its version is still the one the caller has seen.
func (s *Store) Update(note Note) (Note, error) {
	if err := validate(note); err != nil {
		return Note{}, err
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	old, ok := s.notes[note.ID]
	if !ok {
		return Note{}, fmt.Errorf("%w: %d", ErrNotFound, note.ID)
	}
	if old.Version != note.Version {
		return Note{}, ErrConflict
	}
	note.Version++
	note.Changed = s.now()
	s.notes[note.ID] = note
	return note, nil
}

// Delete removes a note.
func (s *Store) Delete(id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	if _, ok := s.notes[id]; !ok {
		return fmt.Errorf("%w: %d", ErrNotFound, id)
	}
	delete(s.notes, id)
	return nil
}

// List returns one page of the notes that hold the text, newest first.
func (s *Store) List(text string, page int) []Note {
	s.mu.RLock()
	defer s.mu.RUnlock()

	text = strings.ToLower(text)
	var found []Note
	for _, note := range s.notes {
		if text == "" || strings.Contains(strings.ToLower(note.Title+"\n"+note.Body), text) {
			found = append(found, note)
		}
	}
	sort.Slice(found, func(i, j int) bool {
		return found[i].Changed.After(found[j].Changed)
	})
	from := min(page*pageSize, len(found))
	to := min(from+pageSize, len(found))
	return found[from:to]
}

func validate(note Note) error {
	switch {
	case strings.TrimSpace(note.Title) == "":
		return errors.New("a note needs a title")
	case len(note.Title) > maxTitle:
		return fmt.Errorf("the title is longer than %d bytes", maxTitle)
	case len(note.Body) > maxBody:
		return fmt.Errorf("the body is longer than %d bytes", maxBody)
	}
	return nil
}

// Server answers requests for notes.
type Server struct {
	store *Store
	log   *slog.Logger
	mux   *http.ServeMux
}

// NewServer makes a server over a store.
func NewServer(store *Store, log *slog.Logger) *Server {
	s := &Server{store: store, log: log, mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /notes", s.handleList)
	s.mux.HandleFunc("POST /notes", s.handleAdd)
	s.mux.HandleFunc("GET /notes/{id}", s.handleGet)
	s.mux.HandleFunc("PUT /notes/{id}", s.handleUpdate)
	s.mux.HandleFunc("DELETE /notes/{id}", s.handleDelete)
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	s.mux.ServeHTTP(w, r)
	s.log.Info("request", "method", r.Method, "path", r.URL.Path, "took", time.Since(start))
}

func (s *Server) handleList(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	notes := s.store.List(r.URL.Query().Get("q"), max(page, 0))
	s.reply(w, http.StatusOK, notes)
}

func (s *Server) handleAdd(w http.ResponseWriter, r *http.Request) {
	var note Note
	if err := json.NewDecoder(r.Body).Decode(&note); err != nil {
		s.fail(w, http.StatusBadRequest, err)
		return
	}
	added, err := s.store.Add(note)
	if err != nil {
		s.fail(w, http.StatusUnprocessableEntity, err)
		return
	}
	s.reply(w, http.StatusCreated, added)
}

func (s *Server) handleGet(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		s.fail(w, http.StatusBadRequest, err)
		return
	}
	note, err := s.store.Get(id)
	if err != nil {
		s.fail(w, statusOf(err), err)
		return
	}
	s.reply(w, http.StatusOK, note)
}

func (s *Server) handleUpdate(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		s.fail(w, http.StatusBadRequest, err)
		return
	}
	var note Note
	if err := json.NewDecoder(r.Body).Decode(&note); err != nil {
		s.fail(w, http.StatusBadRequest, err)
		return
	}
	note.ID = id
	updated, err := s.store.Update(note)
	if err != nil {
		s.fail(w, statusOf(err), err)
		return
	}
	s.reply(w, http.StatusOK, updated)
}

func (s *Server) handleDelete(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		s.fail(w, http.StatusBadRequest, err)
		return
	}
	if err := s.store.Delete(id); err != nil {
		s.fail(w, statusOf(err), err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func statusOf(err error) int {
	switch {
	case errors.Is(err, ErrNotFound):
		return http.StatusNotFound
	case errors.Is(err, ErrConflict):
		return http.StatusConflict
	default:
		return http.StatusUnprocessableEntity
	}
}

func (s *Server) reply(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(value); err != nil {
		s.log.Error("reply", "error", err)
	}
}

func (s *Server) fail(w http.ResponseWriter, status int, err error) {
	s.log.Warn("request failed", "status", status, "error", err)
	s.reply(w, status, map[string]string{"error": err.Error()})
}
