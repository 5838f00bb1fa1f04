// ... existing code ...

// OpenBoard reads a board; a missing file is an empty board.
func OpenBoard(path string) (*Board, error) {
	// ... existing code ...
	board.nextID = max(1, stored.NextID)
	for _, task := range stored.Tasks {
		board.tasks[task.ID] = &task
	}
	// ... existing code ...
}

// ... existing code ...

func valid(state State) bool {
	switch state {
	case Todo, Doing, Done, Frozen:
		return true
	default:
		return false
	}
}

// ... existing code ...
