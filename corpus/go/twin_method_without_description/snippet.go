// ... existing code ...

// Put stores an item under its code.
func (s *MemoryStore) Put(item Item) error {
	if err := check(item); err != nil {
		return err
	}
	item.Code = normalise(item.Code)
	item.Name = strings.TrimSpace(item.Name)
	s.items[item.Code] = item
	s.puts++
	return nil
}

// ... existing code ...
