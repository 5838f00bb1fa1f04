// ... existing code ...

// The kinds of tokens.
const (
	EOF Kind = iota
	// ... existing code ...
	Equals
	Comma
	Semicolon
	Open
	// ... existing code ...
)

// ... existing code ...

// Next gives the next token.
func (l *Lexer) Next() (Token, error) {
	// ... existing code ...
	switch {
	case r == '=':
		return l.single(Equals, size), nil
	case r == ',':
		return l.single(Comma, size), nil
	case r == ';':
		return l.single(Semicolon, size), nil
	case r == '{':
		return l.single(Open, size), nil
	// ... existing code ...
	}
	// ... existing code ...
}

// ... existing code ...
