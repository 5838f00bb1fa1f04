func clientOf(r *http.Request) string {
	if client := r.Header.Get(headerClient); client != "" {
		return client
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
