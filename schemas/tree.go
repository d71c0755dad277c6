package schemas

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

type nodeKind int

const (
	nullNode nodeKind = iota
	scalarNode
	sequenceNode
	mappingNode
)

// node is a value of the file with its position: YAML without anchors, tags
// and comments.
type node struct {
	kind   nodeKind
	text   string // of a scalar
	quoted bool   // a scalar in quotes or a block: never a number
	at     place
	fields []field
	items  []*node
}

// field is one key of a mapping.
type field struct {
	key   string
	at    place
	value *node
}

// describe names the kind of a value for a message.
func (n *node) describe() string {
	switch n.kind {
	case scalarNode:
		if n.quoted {
			return "the text " + shown(n.text)
		}
		return shown(n.text)
	case sequenceNode:
		return "a list"
	case mappingNode:
		return "a mapping"
	default:
		return "empty"
	}
}

// tree parses src into nodes, or reports why it cannot and returns nil.
func (r *reader) tree(src []byte) *node {
	if !r.readable(src) {
		return nil
	}
	text := string(src)
	if len(text) >= 3 && text[:3] == "\xef\xbb\xbf" {
		text = text[3:]
	}
	file, err := r.parseYAML(text)
	if err != nil || len(r.problems) > 0 {
		r.syntax(err)
		return nil
	}
	if len(file.Docs) > 1 {
		r.report("", tokenPlace(file.Docs[1].Start), "a second document starts here", "a protocol is one YAML document", "keep one, and put the others in files of their own")
		return nil
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		r.report("", place{1, 1}, "the protocol is empty", "it must declare version, experiment, log and reward", "start from the example in the README")
		return nil
	}
	root := r.build(file.Docs[0].Body, 0)
	if len(r.problems) > 0 {
		return nil
	}
	if root.kind != mappingNode {
		r.report("", root.at, "the protocol is "+root.describe(), "it must be a mapping of keys such as version and log", "start the file with version: 1")
		return nil
	}
	return root
}

// parseYAML runs the library's parser behind the bounds.
func (r *reader) parseYAML(text string) (file *ast.File, err error) {
	// A defect of the library on hostile input must end as a problem of the
	// file that caused it, not as a crash of the audit.
	defer func() {
		if v := recover(); v != nil {
			file, err = nil, fmt.Errorf("the YAML parser gave up: %v", v)
		}
	}()
	tokens := lexer.Tokenize(text)
	r.guard(tokens)
	if len(r.problems) > 0 {
		return nil, nil //nolint:nilnil // The problems are in r; the caller looks there first.
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
func (r *reader) syntax(err error) {
	if err == nil {
		return
	}
	at, what := place{1, 1}, err.Error()
	if located, ok := errors.AsType[syntaxError](err); ok {
		at, what = tokenPlace(located.GetToken()), located.GetMessage()
	}
	if strings.ContainsRune(what, '\t') { // the library shows the tab, which nobody sees
		r.report("", at, "not YAML: a tab", "", "indent with spaces")
		return
	}
	r.report("", at, "not YAML: "+what, "", "check indentation, brackets and quotes here and just before")
}

func tokenPlace(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{1, 1}
	}
	return place{t.Position.Line, t.Position.Column}
}

// build turns a syntax tree into nodes; nil means that a problem was reported.
func (r *reader) build(n ast.Node, depth int) *node {
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
		return &node{kind: nullNode, at: at}
	case *ast.StringNode:
		quoted := v.Token.Type == token.SingleQuoteType || v.Token.Type == token.DoubleQuoteType
		return &node{kind: scalarNode, text: v.Value, quoted: quoted, at: at}
	case *ast.LiteralNode:
		return &node{kind: scalarNode, text: v.Value.Value, quoted: true, at: at}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return &node{kind: scalarNode, text: n.GetToken().Value, at: at}
	}
	r.report("", at, "a YAML construct that a protocol does not use", "", "write plain keys, lists and values")
	return nil
}

func (r *reader) buildMapping(values []*ast.MappingValueNode, at place, flow bool, depth int) *node {
	m := &node{kind: mappingNode, at: at}
	seen := map[string]place{}
	for i, kv := range values {
		name, key := kv.Key.GetToken().Value, tokenPlace(kv.Key.GetToken())
		if i == 0 && !flow {
			m.at = key // the parser's own position is that of the first colon
		}
		value := r.build(kv.Value, depth+1)
		if value == nil {
			continue
		}
		if first, ok := seen[name]; ok {
			r.report("", key, "the key "+shown(name)+" stands here again", fmt.Sprintf("it stands in line %d already, and one of the two would be ignored", first.line), "keep one of them")
			continue
		}
		seen[name] = key
		if value.kind == nullNode {
			value.at = key
		}
		m.fields = append(m.fields, field{name, key, value})
	}
	return m
}

func (r *reader) buildSequence(v *ast.SequenceNode, at place, depth int) *node {
	s := &node{kind: sequenceNode, at: at}
	for _, item := range v.Values {
		if n := r.build(item, depth+1); n != nil {
			s.items = append(s.items, n)
		}
	}
	return s
}
