// Package conf reads a small configuration language: sections, keys and lists.
package conf

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind tells tokens apart.
type Kind int

// The kinds of tokens.
const (
	EOF Kind = iota
	Name
	Number
	Text
	Equals
	Comma
	Open
	Close
	OpenList
	CloseList
)

// Token is a piece of the text and where it starts.
type Token struct {
	Kind Kind
	Text string
	Line int
}

func (t Token) String() string {
	if t.Kind == EOF {
		return "end of file"
	}
	return fmt.Sprintf("%q in line %d", t.Text, t.Line)
}

// Lexer cuts a text into tokens.
type Lexer struct {
	text string
	at   int
	line int
}

// NewLexer makes a lexer for text.
func NewLexer(text string) *Lexer {
	return &Lexer{text: text, line: 1}
}

// Next gives the next token.
func (l *Lexer) Next() (Token, error) {
	l.skipBlanks()
	if l.at >= len(l.text) {
		return Token{Kind: EOF, Line: l.line}, nil
	}
	r, size := utf8.DecodeRuneInString(l.text[l.at:])
	switch {
	case r == '=':
		return l.single(Equals, size), nil
	case r == ',':
		return l.single(Comma, size), nil
	case r == '{':
		return l.single(Open, size), nil
	case r == '}':
		return l.single(Close, size), nil
	case r == '[':
		return l.single(OpenList, size), nil
	case r == ']':
		return l.single(CloseList, size), nil
	case r == '"':
		return l.quoted()
	case unicode.IsDigit(r) || r == '-':
		return l.run(Number, func(r rune) bool { return unicode.IsDigit(r) || r == '.' || r == '-' }), nil
	case unicode.IsLetter(r):
		return l.run(Name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }), nil
	}
	return Token{}, fmt.Errorf("line %d: unexpected %q", l.line, r)
}

func (l *Lexer) skipBlanks() {
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == '\n':
			l.line++
			l.at++
		case c == ' ' || c == '\t' || c == '\r':
			l.at++
		case c == '#':
			end := strings.IndexByte(l.text[l.at:], '\n')
			if end < 0 {
				l.at = len(l.text)
				return
			}
			l.at += end
		default:
			return
		}
	}
}

func (l *Lexer) single(kind Kind, size int) Token {
	token := Token{Kind: kind, Text: l.text[l.at : l.at+size], Line: l.line}
	l.at += size
	return token
}

func (l *Lexer) run(kind Kind, in func(rune) bool) Token {
	start := l.at
	for l.at < len(l.text) {
		r, size := utf8.DecodeRuneInString(l.text[l.at:])
		if !in(r) {
			break
		}
		l.at += size
	}
	return Token{Kind: kind, Text: l.text[start:l.at], Line: l.line}
}

func (l *Lexer) quoted() (Token, error) {
	start := l.at + 1
	end := strings.IndexByte(l.text[start:], '"')
	if end < 0 {
		return Token{}, fmt.Errorf("line %d: text without an end: %.20q", l.line, l.text[start:])
	}
	l.at = start + end + 1
	return Token{Kind: Text, Text: l.text[start : start+end], Line: l.line}, nil
}

// Value is a text, a number, a list of values or a section.
type Value struct {
	Text    string
	List    []Value
	Section map[string]Value
}

// Parser reads tokens into values.
type Parser struct {
	lexer *Lexer
	token Token
}

// Parse reads a whole text.
func Parse(text string) (map[string]Value, error) {
	p := &Parser{lexer: NewLexer(text)}
	if err := p.advance(); err != nil {
		return nil, err
	}
	section, err := p.section(EOF)
	if err != nil {
		return nil, err
	}
	return section, nil
}

func (p *Parser) advance() error {
	token, err := p.lexer.Next()
	if err != nil {
		return err
	}
	p.token = token
	return nil
}

func (p *Parser) section(end Kind) (map[string]Value, error) {
	section := make(map[string]Value)
	for p.token.Kind != end {
		if p.token.Kind != Name {
			return nil, fmt.Errorf("want a name, got %s", p.token)
		}
		name := p.token.Text
		if err := p.advance(); err != nil {
			return nil, err
		}
		value, err := p.binding()
		if err != nil {
			return nil, err
		}
		if _, ok := section[name]; ok {
			return nil, fmt.Errorf("%s is set twice", name)
		}
		section[name] = value
	}
	return section, nil
}

func (p *Parser) binding() (Value, error) {
	switch p.token.Kind {
	case Open:
		if err := p.advance(); err != nil {
			return Value{}, err
		}
		section, err := p.section(Close)
		if err != nil {
			return Value{}, err
		}
		return Value{Section: section}, p.advance()
	case Equals:
		if err := p.advance(); err != nil {
			return Value{}, err
		}
		return p.value()
	}
	return Value{}, fmt.Errorf("want = or {, got %s", p.token)
}

func (p *Parser) value() (Value, error) {
	switch p.token.Kind {
	case Text, Number, Name:
		value := Value{Text: p.token.Text}
		return value, p.advance()
	case OpenList:
		return p.list()
	}
	return Value{}, fmt.Errorf("want a value, got %s", p.token)
}

func (p *Parser) list() (Value, error) {
	if err := p.advance(); err != nil {
		return Value{}, err
	}
	var list []Value
	for p.token.Kind != CloseList {
		value, err := p.value()
		if err != nil {
			return Value{}, err
		}
		list = append(list, value)
		if p.token.Kind != Comma {
			break
		}
		if err := p.advance(); err != nil {
			return Value{}, err
		}
	}
	if p.token.Kind != CloseList {
		return Value{}, fmt.Errorf("want ], got %s", p.token)
	}
	return Value{List: list}, p.advance()
}
