// ... existing code ...

// Parser reads tokens into values.
type Parser struct {
	lexer *Lexer
	token Token
	count int
	// ... existing code ...
}

// ... existing code ...

func (p *Parser) advance() error {
	token, err := p.lexer.Next()
	if err != nil {
		return err
	}
	p.token = token
	p.count++
	return nil
	// ... existing code ...
}

// ... existing code ...
