package tree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// maxInline is the longest line for which a nested value is written in one
// line.
const maxInline = 100

// FromJSON rewrites a JSON object as block YAML: short nested values stay
// in one line, in flow style. Key order is kept.
func FromJSON(b []byte) ([]byte, error) {
	root, err := ParseJSON(b)
	if err != nil {
		return nil, fmt.Errorf("schemas: rewriting JSON as YAML: %w", err)
	}
	var out strings.Builder
	writeBlock(&out, root, 0)
	return []byte(out.String()), nil
}

// ParseJSON reads JSON as nodes, without places and without the bounds of Parse: it
// is for what this program wrote.
func ParseJSON(b []byte) (*Node, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return jsonNode(d)
}

// jsonNode reads one JSON value.
func jsonNode(d *json.Decoder) (*Node, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return jsonObject(d)
		}
		return jsonArray(d)
	case string:
		return &Node{Kind: Scalar, Text: t, Quoted: true}, nil
	case json.Number:
		return &Node{Kind: Scalar, Text: t.String()}, nil
	case bool:
		return &Node{Kind: Scalar, Text: strconv.FormatBool(t)}, nil
	default:
		return &Node{Kind: Null}, nil
	}
}

func jsonObject(d *json.Decoder) (*Node, error) {
	n := &Node{Kind: Mapping}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, ok := key.(string)
		if !ok {
			return nil, io.ErrUnexpectedEOF
		}
		value, err := jsonNode(d)
		if err != nil {
			return nil, err
		}
		n.Fields = append(n.Fields, Field{Key: name, Value: value})
	}
	_, err := d.Token() // the closing brace
	return n, err
}

func jsonArray(d *json.Decoder) (*Node, error) {
	n := &Node{Kind: Sequence}
	for d.More() {
		item, err := jsonNode(d)
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
	_, err := d.Token() // the closing bracket
	return n, err
}

// writeBlock writes a mapping or a list, one entry to a line where it fits.
func writeBlock(out *strings.Builder, n *Node, indent int) {
	pad := strings.Repeat("  ", indent)
	for _, f := range n.Fields {
		writeEntry(out, pad+yamlText(f.Key)+":", f.Value, indent)
	}
	for _, item := range n.Items {
		writeEntry(out, pad+"-", item, indent)
	}
}

// writeEntry writes what follows "key:" or "-".
func writeEntry(out *strings.Builder, head string, n *Node, indent int) {
	line := head + " " + flow(n)
	if len(line) <= maxInline || n.Kind == Scalar || n.Kind == Null {
		out.WriteString(line + "\n")
		return
	}
	var block strings.Builder
	writeBlock(&block, n, indent+1)
	if strings.HasSuffix(head, "-") && n.Kind == Mapping {
		// The dash takes the place of the indentation of the first key.
		out.WriteString(head + " " + block.String()[len(head)+1:])
		return
	}
	out.WriteString(head + "\n" + block.String())
}

// flow writes a value in one line.
func flow(n *Node) string {
	var parts []string
	switch n.Kind {
	case Scalar:
		if n.Quoted {
			return yamlText(n.Text)
		}
		return n.Text
	case Mapping:
		for _, f := range n.Fields {
			parts = append(parts, yamlText(f.Key)+": "+flow(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case Sequence:
		for _, item := range n.Items {
			parts = append(parts, flow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	default:
		return "null"
	}
}

var (
	// plainText is what every YAML reader takes for text without quotes, but
	// for the words of reservedText.
	plainText    = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_./-]*|2\^-?[0-9]+)$`)
	reservedText = regexp.MustCompile(`(?i)^(y|n|yes|no|on|off|true|false|null|nan|inf)$`)
)

// yamlText writes a text so that it reads back as the same text.
func yamlText(text string) string {
	if plainText.MatchString(text) && !reservedText.MatchString(text) {
		return text
	}
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil { // a string always has a JSON form
		return ""
	}
	return strings.TrimSuffix(out.String(), "\n")
}
