// ... existing code ...
	sort.Slice(items, func(i, j int) bool { return items[i].Code < items[j].Code })
	return items, nil
}

// FileStore keeps items in a text file, one a line.
type FileStore struct {
// ... existing code ...
