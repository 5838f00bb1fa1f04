// Command board serves a shared task board over HTTP and keeps it in one JSON file.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// State of a task.
type State string

// The states a task passes through.
const (
	Todo   State = "todo"
	Doing  State = "doing"
	Done   State = "done"
	Frozen State = "frozen"
)

var (
	errNotFound = errors.New("not found")
	errConflict = errors.New("changed by someone else")
	errInvalid  = errors.New("invalid")
)

// Task is one card.
type Task struct {
	ID       int       `json:"id"`
	Title    string    `json:"title"`
	Body     string    `json:"body,omitempty"`
	State    State     `json:"state"`
	Owner    string    `json:"owner,omitempty"`
	Labels   []string  `json:"labels,omitempty"`
	Due      time.Time `json:"due,omitzero"`
	Version  int       `json:"version"`
	Created  time.Time `json:"created"`
	Modified time.Time `json:"modified"`
}

// Comment is a remark on a task.
type Comment struct {
	ID      int       `json:"id"`
	Task    int       `json:"task"`
	Author  string    `json:"author"`
	Text    string    `json:"text"`
	Created time.Time `json:"created"`
}

// Board is everything there is.
type Board struct {
	mu       sync.RWMutex
	path     string
	nextID   int
	tasks    map[int]*Task
	comments map[int][]Comment
	now      func() time.Time
}

type snapshot struct {
	NextID   int       `json:"next_id"`
	Tasks    []Task    `json:"tasks"`
	Comments []Comment `json:"comments"`
}

// OpenBoard reads a board; a missing file is an empty board.
func OpenBoard(path string) (*Board, error) {
	board := &Board{
		path:     path,
		nextID:   1,
		tasks:    make(map[int]*Task),
		comments: make(map[int][]Comment),
		now:      time.Now,
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return board, nil
	}
	if err != nil {
		return nil, err
	}
	var stored snapshot
	if err := json.Unmarshal(data, &stored); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	board.nextID = stored.NextID
	for _, task := range stored.Tasks {
		board.tasks[task.ID] = &task
	}
	for _, comment := range stored.Comments {
		board.comments[comment.Task] = append(board.comments[comment.Task], comment)
	}
	return board, nil
}

// save writes the board; the caller holds the lock.
func (b *Board) save() error {
	stored := snapshot{NextID: b.nextID}
	for _, task := range b.tasks {
		stored.Tasks = append(stored.Tasks, *task)
	}
	slices.SortFunc(stored.Tasks, func(x, y Task) int { return x.ID - y.ID })
	for _, task := range stored.Tasks {
		stored.Comments = append(stored.Comments, b.comments[task.ID]...)
	}
	data, err := json.MarshalIndent(stored, "", "  ")
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(b.path), ".board-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if _, err := temp.Write(data); err != nil {
		temp.Close()
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), b.path)
}

// Add puts a new task on the board.
func (b *Board) Add(title, body, owner string, labels []string) (Task, error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	title = strings.TrimSpace(title)
	if title == "" {
		return Task{}, fmt.Errorf("%w: a task needs a title", errInvalid)
	}
	now := b.now()
	task := &Task{
		ID:       b.nextID,
		Title:    title,
		Body:     body,
		State:    Todo,
		Owner:    owner,
		Labels:   clean(labels),
		Version:  1,
		Created:  now,
		Modified: now,
	}
	b.nextID++
	b.tasks[task.ID] = task
	if err := b.save(); err != nil {
		return Task{}, err
	}
	return *task, nil
}

// Get finds a task.
func (b *Board) Get(id int) (Task, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()

	task, ok := b.tasks[id]
	if !ok {
		return Task{}, fmt.Errorf("task %d: %w", id, errNotFound)
	}
	return *task, nil
}

// List gives the tasks in a state, or all, by ID.
func (b *Board) List(state State, label string) []Task {
	b.mu.RLock()
	defer b.mu.RUnlock()

	var tasks []Task
	for _, task := range b.tasks {
		if state != "" && task.State != state {
			continue
		}
		if label != "" && !slices.Contains(task.Labels, label) {
			continue
		}
		tasks = append(tasks, *task)
	}
	slices.SortFunc(tasks, func(x, y Task) int { return x.ID - y.ID })
	return tasks
}

// Move changes a task's state.
func (b *Board) Move(id, version int, state State) (Task, error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	task, ok := b.tasks[id]
	if !ok {
		return Task{}, fmt.Errorf("task %d: %w", id, errNotFound)
	}
	if task.Version != version {
		return *task, fmt.Errorf("task %d: %w", id, errConflict)
	}
	if !valid(state) {
		return *task, fmt.Errorf("state %q: %w", state, errInvalid)
	}
	task.State = state
	task.Version++
	task.Modified = b.now()
	if err := b.save(); err != nil {
		return Task{}, err
	}
	return *task, nil
}

// Assign changes a task's owner.
func (b *Board) Assign(id, version int, owner string) (Task, error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	task, ok := b.tasks[id]
	if !ok {
		return Task{}, fmt.Errorf("task %d: %w", id, errNotFound)
	}
	if task.Version != version {
		return *task, fmt.Errorf("task %d: %w", id, errConflict)
	}
	task.Owner = owner
	task.Version++
	task.Modified = b.now()
	if err := b.save(); err != nil {
		return Task{}, err
	}
	return *task, nil
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

// Delete takes a task and its comments off the board.
func (b *Board) Delete(id int) error {
	b.mu.Lock()
	defer b.mu.Unlock()

	if _, ok := b.tasks[id]; !ok {
		return fmt.Errorf("task %d: %w", id, errNotFound)
	}
	delete(b.tasks, id)
	delete(b.comments, id)
	return b.save()
}

// Comment adds a remark to a task.
func (b *Board) Comment(id int, author, text string) (Comment, error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	if _, ok := b.tasks[id]; !ok {
		return Comment{}, fmt.Errorf("task %d: %w", id, errNotFound)
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return Comment{}, fmt.Errorf("%w: a comment needs a text", errInvalid)
	}
	comment := Comment{ID: b.nextID, Task: id, Author: author, Text: text, Created: b.now()}
	b.nextID++
	b.comments[id] = append(b.comments[id], comment)
	if err := b.save(); err != nil {
		return Comment{}, err
	}
	return comment, nil
}

// Comments lists the remarks on a task, oldest first.
func (b *Board) Comments(id int) ([]Comment, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()

	if _, ok := b.tasks[id]; !ok {
		return nil, fmt.Errorf("task %d: %w", id, errNotFound)
	}
	return slices.Clone(b.comments[id]), nil
}

func valid(state State) bool {
	switch state {
	case Todo, Doing, Done, Frozen:
		return true
	}
	return false
}

func clean(labels []string) []string {
	var cleaned []string
	for _, label := range labels {
		label = strings.ToLower(strings.TrimSpace(label))
		if label != "" && !slices.Contains(cleaned, label) {
			cleaned = append(cleaned, label)
		}
	}
	slices.Sort(cleaned)
	return cleaned
}

// Server answers requests about a board.
type Server struct {
	board  *Board
	logger *slog.Logger
}

// Routes lists what the server answers.
func (s *Server) Routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tasks", s.listTasks)
	mux.HandleFunc("POST /tasks", s.addTask)
	mux.HandleFunc("GET /tasks/{id}", s.getTask)
	mux.HandleFunc("DELETE /tasks/{id}", s.deleteTask)
	mux.HandleFunc("POST /tasks/{id}/state", s.moveTask)
	mux.HandleFunc("POST /tasks/{id}/owner", s.assignTask)
	mux.HandleFunc("POST /tasks/{id}/due", s.scheduleTask)
	mux.HandleFunc("GET /tasks/{id}/comments", s.listComments)
	mux.HandleFunc("POST /tasks/{id}/comments", s.addComment)
	mux.HandleFunc("GET /health", s.health)
	return s.logged(mux)
}

func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		next.ServeHTTP(w, r)
		s.logger.Info("served", "method", r.Method, "path", r.URL.Path, "took", time.Since(started))
	})
}

func (s *Server) listTasks(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	tasks := s.board.List(State(query.Get("state")), query.Get("label"))
	s.write(w, http.StatusOK, tasks)
}

func (s *Server) addTask(w http.ResponseWriter, r *http.Request) {
	var input struct {
		Title  string   `json:"title"`
		Body   string   `json:"body"`
		Owner  string   `json:"owner"`
		Labels []string `json:"labels"`
	}
	if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
		s.fail(w, fmt.Errorf("%w: %v", errInvalid, err))
		return
	}
	task, err := s.board.Add(input.Title, input.Body, input.Owner, input.Labels)
	if err != nil {
		s.fail(w, err)
		return
	}
	s.write(w, http.StatusCreated, task)
}

func (s *Server) getTask(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r)
	if err != nil {
		s.fail(w, err)
		return
	}
	task, err := s.board.Get(id)
	if err != nil {
		s.fail(w, err)
		return
	}
	s.write(w, http.StatusOK, task)
}

func (s *Server) deleteTask(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r)
	if err != nil {
		s.fail(w, err)
		return
	}
	if err := s.board.Delete(id); err != nil {
		s.fail(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) moveTask(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r)
	if err != nil {
		s.fail(w, err)
		return
	}
	var input struct {
		Version int   `json:"version"`
		State   State `json:"state"`
	}
	if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
		s.fail(w, fmt.Errorf("%w: %v", errInvalid, err))
		return
	}
	task, err := s.board.Move(id, input.Version, input.State)
	if err != nil {
		s.fail(w, err)
		return
	}
	s.write(w, http.StatusOK, task)
}

func (s *Server) assignTask(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r)
	if err != nil {
		s.fail(w, err)
		return
	}
	var input struct {
		Version int    `json:"version"`
		Owner   string `json:"owner"`
	}
	if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
		s.fail(w, fmt.Errorf("%w: %v", errInvalid, err))
		return
	}
	task, err := s.board.Assign(id, input.Version, input.Owner)
	if err != nil {
		s.fail(w, err)
		return
	}
	s.write(w, http.StatusOK, task)
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

func (s *Server) listComments(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r)
	if err != nil {
		s.fail(w, err)
		return
	}
	comments, err := s.board.Comments(id)
	if err != nil {
		s.fail(w, err)
		return
	}
	s.write(w, http.StatusOK, comments)
}

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
	comment, err := s.board.Comment(id, input.Author, input.Text)
	if err != nil {
		s.fail(w, err)
		return
	}
	s.write(w, http.StatusCreated, comment)
}

func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	s.write(w, http.StatusOK, map[string]string{"status": "ok"})
}

func pathID(r *http.Request) (int, error) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		return 0, fmt.Errorf("id %q: %w", r.PathValue("id"), errInvalid)
	}
	return id, nil
}

func (s *Server) write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(value); err != nil {
		s.logger.Error("write", "error", err)
	}
}

func (s *Server) fail(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	switch {
	case errors.Is(err, errNotFound):
		status = http.StatusNotFound
	case errors.Is(err, errConflict):
		status = http.StatusConflict
	case errors.Is(err, errInvalid):
		status = http.StatusBadRequest
	}
	if status == http.StatusInternalServerError {
		s.logger.Error("request", "error", err)
	}
	s.write(w, status, map[string]string{"error": err.Error()})
}

func run() error {
	address := flag.String("listen", "localhost:8090", "address to listen on")
	path := flag.String("board", "board.json", "file to keep the board in")
	verbose := flag.Bool("verbose", false, "log more")
	flag.Parse()

	level := slog.LevelInfo
	if *verbose {
		level = slog.LevelDebug
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))

	board, err := OpenBoard(*path)
	if err != nil {
		return err
	}
	server := &Server{board: board, logger: logger}
	web := &http.Server{Addr: *address, Handler: server.Routes(), ReadHeaderTimeout: 5 * time.Second}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		timeout, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := web.Shutdown(timeout); err != nil {
			logger.Error("shutdown", "error", err)
		}
	}()

	logger.Info("listening", "address", *address)
	if err := web.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "board:", err)
		os.Exit(1)
	}
}
