// ... existing code ...

const (
	defaultWindow = time.Minute
	sweepEvery    = 5 * time.Minute
	headerClient  = "X-Client"
	headerPlan    = "X-Plan"
	planFallback  = "free"
)

// ... existing code ...

func planOf(r *http.Request) string {
	if plan := r.Header.Get(headerPlan); plan != "" {
		return plan
	}
	return planFallback
}

// ... existing code ...
