// ... existing code ...

func (p *Parser) list() (Value, error) {
	if err := p.advance(); err != nil {
		return Value{}, err
	}
	list := make([]Value, 0, 4)
	for p.token.Kind != CloseList {
		value, err := p.value()
		if err != nil {
