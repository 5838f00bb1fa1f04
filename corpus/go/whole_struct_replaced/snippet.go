// ... existing code ...

// Limiter holds the windows of all clients.
type Limiter struct {
	mu      sync.Mutex
	plans   map[string]Plan
	windows map[string]*Usage
	clock   Clock
	logger  *log.Logger
	onDrop  func(Usage)
}

// NewLimiter makes a limiter that knows the given plans.
func NewLimiter(plans []Plan, logger *log.Logger) *Limiter {
	// ... existing code ...
	return &Limiter{
		plans:   byName,
		windows: make(map[string]*Usage),
		clock:   time.Now,
		logger:  logger,
		onDrop:  func(Usage) {},
	}
}

// ... existing code ...

// sweep drops windows that have ended.
func (l *Limiter) sweep() int {
	// ... existing code ...
	for client, usage := range l.windows {
		if now.After(usage.Until) {
			delete(l.windows, client)
			l.onDrop(*usage)
			dropped++
		}
	}
	return dropped
}

// ... existing code ...
