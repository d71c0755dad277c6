// Package tree reads the text of a protocol, which is YAML, as values with their places
// in the file, within bounds that hostile text cannot pass, and writes JSON as YAML.
package tree

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Place is a position in a file: 1-based line, 1-based column in characters.
type Place struct{ Line, Col int }

// Kind is the kind of a node.
type Kind int

// Kinds of nodes.
const (
	Null Kind = iota
	Scalar
	Sequence
	Mapping
)

// Node is a value of the file with its position: YAML without anchors, tags
// and comments.
type Node struct {
	Kind   Kind
	Text   string // of a scalar
	Quoted bool   // a scalar in quotes or a block: never a number
	At     Place
	Fields []Field
	Items  []*Node
}

// Field is one key of a mapping.
type Field struct {
	Key   string
	At    Place
	Value *Node
}

// Describe names the kind of a value for a message, quoting a text.
func (n *Node) Describe(quote func(string) string) string {
	switch n.Kind {
	case Scalar:
		if n.Quoted {
			return "the text " + quote(n.Text)
		}
		return quote(n.Text)
	case Sequence:
		return "a list"
	case Mapping:
		return "a mapping"
	default:
		return "empty"
	}
}

// textParser parses the text of a protocol.
type textParser struct {
	tell   func(at Place, what, why, mend string) // takes a fault
	quote  func(text string) string               // writes a text of the file for a message
	faults int
}

// Parse parses src into nodes. It returns nil where it cannot, and tells why; quote
// writes a text of the file for a message.
func Parse(src []byte, quote func(string) string, tell func(at Place, what, why, mend string)) *Node {
	return (&textParser{tell: tell, quote: quote}).parse(src)
}

func (r *textParser) report(at Place, what, why, mend string) {
	r.faults++
	r.tell(at, what, why, mend)
}

// parse parses src into nodes, or reports why it cannot and returns nil.
func (r *textParser) parse(src []byte) *Node {
	if !r.readable(src) {
		return nil
	}
	text := string(src)
	if len(text) >= 3 && text[:3] == "\xef\xbb\xbf" {
		text = text[3:]
	}
	file, err := r.parseYAML(text)
	if err != nil || r.faults > 0 {
		r.syntax(err)
		return nil
	}
	if len(file.Docs) > 1 {
		r.report(tokenPlace(file.Docs[1].Start), "a second document starts here", "a protocol is one YAML document", "keep one, and put the others in files of their own")
		return nil
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		r.report(Place{1, 1}, "the protocol is empty", "it must declare version, experiment, log and reward", "start from the example in the README")
		return nil
	}
	root := r.build(file.Docs[0].Body, 0)
	if r.faults > 0 {
		return nil
	}
	if root.Kind != Mapping {
		r.report(root.At, "the protocol is "+root.Describe(r.quote), "it must be a mapping of keys such as version and log", "start the file with version: 1")
		return nil
	}
	return root
}

// parseYAML runs the library's parser behind the bounds.
func (r *textParser) parseYAML(text string) (file *ast.File, err error) {
	// A defect of the library on hostile input must end as a problem of the
	// file that caused it, not as a crash of the audit.
	defer func() {
		if v := recover(); v != nil {
			file, err = nil, fmt.Errorf("the YAML parser gave up: %v", v)
		}
	}()
	tokens := lexer.Tokenize(text)
	r.guard(tokens)
	if r.faults > 0 {
		return nil, nil //nolint:nilnil // The faults are reported; the caller looks there first.
	}
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// syntaxError is what the YAML library's own errors can tell.
type syntaxError interface {
	error
	GetToken() *token.Token
	GetMessage() string
}

// syntax reports a parser's error at its place.
func (r *textParser) syntax(err error) {
	if err == nil {
		return
	}
	at, what := Place{1, 1}, err.Error()
	if located, ok := errors.AsType[syntaxError](err); ok {
		at, what = tokenPlace(located.GetToken()), located.GetMessage()
	}
	if strings.ContainsRune(what, '\t') { // the library shows the tab, which nobody sees
		r.report(at, "not YAML: a tab", "", "indent with spaces")
		return
	}
	r.report(at, "not YAML: "+what, "", "check indentation, brackets and quotes here and just before")
}

func tokenPlace(t *token.Token) Place {
	if t == nil || t.Position == nil {
		return Place{1, 1}
	}
	return Place{t.Position.Line, t.Position.Column}
}

// build turns a syntax tree into nodes; nil means that a problem was reported.
func (r *textParser) build(n ast.Node, depth int) *Node {
	if depth > maxDepth {
		r.tooDeep(tokenPlace(n.GetToken()))
		return nil
	}
	at := tokenPlace(n.GetToken())
	switch v := n.(type) {
	case *ast.MappingNode:
		return r.buildMapping(v.Values, at, v.IsFlowStyle, depth)
	case *ast.MappingValueNode:
		return r.buildMapping([]*ast.MappingValueNode{v}, at, v.IsFlowStyle, depth)
	case *ast.SequenceNode:
		return r.buildSequence(v, at, depth)
	case *ast.NullNode:
		return &Node{Kind: Null, At: at}
	case *ast.StringNode:
		if strings.ContainsRune(v.Value, 0) {
			r.report(at, "a text with a zero byte", "no label of a log, no column and no path has one", "write it without \\0")
			return nil
		}
		quoted := v.Token.Type == token.SingleQuoteType || v.Token.Type == token.DoubleQuoteType
		return &Node{Kind: Scalar, Text: v.Value, Quoted: quoted, At: at}
	case *ast.LiteralNode:
		return &Node{Kind: Scalar, Text: v.Value.Value, Quoted: true, At: at}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return &Node{Kind: Scalar, Text: n.GetToken().Value, At: at}
	}
	r.report(at, "a YAML construct that a protocol does not use", "", "write plain keys, lists and values")
	return nil
}

func (r *textParser) buildMapping(values []*ast.MappingValueNode, at Place, flow bool, depth int) *Node {
	m := &Node{Kind: Mapping, At: at}
	seen := map[string]Place{}
	for i, kv := range values {
		name, key := kv.Key.GetToken().Value, tokenPlace(kv.Key.GetToken())
		if i == 0 && !flow {
			m.At = key // the parser's own position is that of the first colon
		}
		value := r.build(kv.Value, depth+1)
		if value == nil {
			continue
		}
		if first, ok := seen[name]; ok {
			r.report(key, "the key "+r.quote(name)+" stands here again", fmt.Sprintf("it stands in line %d already, and one of the two would be ignored", first.Line), "keep one of them")
			continue
		}
		seen[name] = key
		if value.Kind == Null {
			value.At = key
		}
		m.Fields = append(m.Fields, Field{name, key, value})
	}
	return m
}

func (r *textParser) buildSequence(v *ast.SequenceNode, at Place, depth int) *Node {
	s := &Node{Kind: Sequence, At: at}
	for _, item := range v.Values {
		if n := r.build(item, depth+1); n != nil {
			s.Items = append(s.Items, n)
		}
	}
	return s
}
