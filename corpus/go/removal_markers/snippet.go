// ... existing code ...

// MemoryStore keeps items in a map.
type MemoryStore struct {
	items map[string]Item
	// Plandex: removed code
}

// ... existing code ...

// Put stores an item under its code.
func (s *MemoryStore) Put(item Item) error {
	// ... existing code ...
	item.Code = normalise(item.Code)
	s.items[item.Code] = item
	// Plandex: removed code
	return nil
}

// ... existing code ...
