// ... existing code ...

// Delete forgets an item.
func (s *FileStore) Delete(code string) error {
	code = normalise(code)
	if _, ok := s.items[code]; !ok {
		return fmt.Errorf("%s: no item %q", s.path, code)
	}
	delete(s.items, code)
	s.dirty = true
	return nil
}

// ... existing code ...
