// ... existing code ...
	if err != nil {
		s.logger.Warn("refused", "error", err)
		s.fail(w, err)
		return
	}
// ... existing code ...
