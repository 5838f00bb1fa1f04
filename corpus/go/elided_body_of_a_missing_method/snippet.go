// ... existing code ...

// Flush writes the file and keeps the store open.
func (s *FileStore) Flush() error {
	// ... existing code ...
	s.dirty = false
	return os.Rename(temp.Name(), s.path)
}

// ... existing code ...
