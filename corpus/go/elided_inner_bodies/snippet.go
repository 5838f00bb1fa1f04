// ... existing code ...

func (p *Parser) binding() (Value, error) {
	switch p.token.Kind {
	case Open:
		// ... existing code ...
	case Equals:
		if err := p.advance(); err != nil {
			return Value{}, err
		}
		if p.token.Kind == Close {
			return Value{}, fmt.Errorf("want a value, got %s", p.token)
		}
		return p.value()
	}
	// ... existing code ...
}

// ... existing code ...
