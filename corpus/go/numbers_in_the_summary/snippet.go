// ... existing code ...

func (l *Lexer) quoted() (Token, error) {
	start := l.at + 1
	end := strings.IndexByte(l.text[start:], '"')
	if end < 0 {
		return Token{}, fmt.Errorf("line %d: text without an end: %.20q", l.line, l.text[start:])
	}
	// ... existing code ...
}

// ... existing code ...
