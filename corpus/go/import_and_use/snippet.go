// Package quota counts requests per client and refuses those that go over their limit.
package quota

import (
	// ... existing code ...
	"sort"
	"strconv"
	"strings"
	// ... existing code ...
)

// ... existing code ...

// Middleware counts each request before it is served.
func (l *Limiter) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// ... existing code ...
		w.Header().Set("X-Quota-Used", strconv.Itoa(usage.Used))
		next.ServeHTTP(w, r)
	})
}

// ... existing code ...
