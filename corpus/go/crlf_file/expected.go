// Package quota counts requests per client and refuses those that go over their limit.
package quota

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"sort"
	"strings"
	"sync"
	"time"
)

// ErrUnknownPlan is returned when a client names a plan that isn't configured.
var ErrUnknownPlan = errors.New("unknown plan")

// ErrExhausted is returned when a client has used up its window.
var ErrExhausted = errors.New("quota exhausted")

const (
	defaultWindow = time.Minute
	sweepEvery    = 5 * time.Minute
	headerClient  = "X-Client"
	headerPlan    = "X-Plan"
	planFallback  = "free"
)

// Plan says how many requests a client may make in a window.
type Plan struct {
	Name   string        `json:"name"`
	Limit  int           `json:"limit"`
	Window time.Duration `json:"window"`
}

// Usage is what a client has used of its current window.
type Usage struct {
	Client string    `json:"client"`
	Plan   string    `json:"plan"`
	Used   int       `json:"used"`
	Until  time.Time `json:"until"`
}

// Clock tells the time; tests bring their own.
type Clock func() time.Time

// Limiter holds the windows of all clients.
type Limiter struct {
	mu      sync.Mutex
	plans   map[string]Plan
	windows map[string]*Usage
	clock   Clock
	logger  *log.Logger
}

// NewLimiter makes a limiter that knows the given plans.
func NewLimiter(plans []Plan, logger *log.Logger) *Limiter {
	byName := make(map[string]Plan, len(plans))
	for _, plan := range plans {
		if plan.Window == 0 {
			plan.Window = defaultWindow
		}
		byName[plan.Name] = plan
	}
	return &Limiter{
		plans:   byName,
		windows: make(map[string]*Usage),
		clock:   time.Now,
		logger:  logger,
	}
}

// WithClock replaces the clock and returns the limiter.
func (l *Limiter) WithClock(clock Clock) *Limiter {
	l.clock = clock
	return l
}

// Take counts one request of a client.
func (l *Limiter) Take(client, planName string) (Usage, error) {
	l.mu.Lock()
	defer l.mu.Unlock()

	plan, ok := l.plans[planName]
	if !ok {
		return Usage{}, fmt.Errorf("%w: %q", ErrUnknownPlan, planName)
	}
	now := l.clock()
	usage, ok := l.windows[client]
	if !ok || now.After(usage.Until) {
		usage = &Usage{Client: client, Plan: planName, Until: now.Add(plan.Window)}
		l.windows[client] = usage
	}
	if usage.Used >= plan.Limit {
		return *usage, ErrExhausted
	}
	usage.Used++
	return *usage, nil
}

// Peek tells what a client has used without counting a request.
func (l *Limiter) Peek(client string) (Usage, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()

	usage, ok := l.windows[client]
	if !ok {
		return Usage{}, false
	}
	return *usage, true
}

// Reset forgets what a client has used.
func (l *Limiter) Reset(client string) {
	l.mu.Lock()
	defer l.mu.Unlock()

	delete(l.windows, client)
}

// Snapshot lists the usage of all clients, the busiest first.
func (l *Limiter) Snapshot() []Usage {
	l.mu.Lock()
	defer l.mu.Unlock()

	all := make([]Usage, 0, len(l.windows))
	for _, usage := range l.windows {
		all = append(all, *usage)
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].Used != all[j].Used {
			return all[i].Used > all[j].Used
		}
		return all[i].Client < all[j].Client
	})
	return all
}

// sweep drops windows that have ended.
func (l *Limiter) sweep() int {
	l.mu.Lock()
	defer l.mu.Unlock()

	dropped := 0
	now := l.clock()
	for client, usage := range l.windows {
		if now.After(usage.Until) {
			delete(l.windows, client)
			dropped++
		}
	}
	return dropped
}

// Run sweeps until the context ends.
func (l *Limiter) Run(ctx context.Context) error {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			if n := l.sweep(); n > 0 {
				l.logger.Printf("dropped %d windows", n)
			}
		}
	}
}

// Middleware counts each request before it is served.
func (l *Limiter) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client := clientOf(r)
		usage, err := l.Take(client, planOf(r))
		if err != nil {
			writeError(w, err)
			return
		}
		w.Header().Set("X-Quota-Used", fmt.Sprint(usage.Used))
		next.ServeHTTP(w, r)
	})
}

// Handler serves the limiter's own pages.
func (l *Limiter) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /usage", l.handleList)
	mux.HandleFunc("GET /usage/{client}", l.handleShow)
	mux.HandleFunc("DELETE /usage/{client}", l.handleReset)
	return mux
}

func (l *Limiter) handleList(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, l.Snapshot())
}

func (l *Limiter) handleShow(w http.ResponseWriter, r *http.Request) {
	usage, ok := l.Peek(r.PathValue("client"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	writeJSON(w, http.StatusOK, usage)
}

func (l *Limiter) handleReset(w http.ResponseWriter, r *http.Request) {
	l.Reset(r.PathValue("client"))
	w.WriteHeader(http.StatusNoContent)
}

func clientOf(r *http.Request) string {
	if client := r.Header.Get(headerClient); client != "" {
		return client
	}
	host, _, _ := strings.Cut(r.RemoteAddr, ":")
	return host
}

func planOf(r *http.Request) string {
	if plan := r.Header.Get(headerPlan); plan != "" {
		return plan
	}
	return planFallback
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(value); err != nil {
		log.Printf("write: %v", err)
	}
}

func writeError(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	switch {
	case errors.Is(err, ErrUnknownPlan):
		status = http.StatusBadRequest
	case errors.Is(err, ErrExhausted):
		status = http.StatusTooManyRequests
	}
	writeJSON(w, status, map[string]string{"error": err.Error()})
}
