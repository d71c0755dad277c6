package schemas

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

// yamlFromJSON rewrites a JSON object as block YAML: short nested values stay
// in one line, in flow style. Key order is kept.
func yamlFromJSON(b []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	root, err := jsonNode(d)
	if err != nil {
		return nil, fmt.Errorf("schemas: rewriting JSON as YAML: %w", err)
	}
	var out strings.Builder
	writeBlock(&out, root, 0)
	return []byte(out.String()), nil
}

// jsonNode reads one JSON value.
func jsonNode(d *json.Decoder) (*node, error) {
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
		return &node{kind: scalarNode, text: t, quoted: true}, nil
	case json.Number:
		return &node{kind: scalarNode, text: t.String()}, nil
	case bool:
		return &node{kind: scalarNode, text: strconv.FormatBool(t)}, nil
	default:
		return &node{kind: nullNode}, nil
	}
}

func jsonObject(d *json.Decoder) (*node, error) {
	n := &node{kind: mappingNode}
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
		n.fields = append(n.fields, field{key: name, value: value})
	}
	_, err := d.Token() // the closing brace
	return n, err
}

func jsonArray(d *json.Decoder) (*node, error) {
	n := &node{kind: sequenceNode}
	for d.More() {
		item, err := jsonNode(d)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
	}
	_, err := d.Token() // the closing bracket
	return n, err
}

// writeBlock writes a mapping or a list, one entry to a line where it fits.
func writeBlock(out *strings.Builder, n *node, indent int) {
	pad := strings.Repeat("  ", indent)
	for _, f := range n.fields {
		writeEntry(out, pad+yamlText(f.key)+":", f.value, indent)
	}
	for _, item := range n.items {
		writeEntry(out, pad+"-", item, indent)
	}
}

// writeEntry writes what follows "key:" or "-".
func writeEntry(out *strings.Builder, head string, n *node, indent int) {
	line := head + " " + flow(n)
	if len(line) <= maxInline || n.kind == scalarNode || n.kind == nullNode {
		out.WriteString(line + "\n")
		return
	}
	var block strings.Builder
	writeBlock(&block, n, indent+1)
	if strings.HasSuffix(head, "-") && n.kind == mappingNode {
		// The dash takes the place of the indentation of the first key.
		out.WriteString(head + " " + block.String()[len(head)+1:])
		return
	}
	out.WriteString(head + "\n" + block.String())
}

// flow writes a value in one line.
func flow(n *node) string {
	var parts []string
	switch n.kind {
	case scalarNode:
		if n.quoted {
			return yamlText(n.text)
		}
		return n.text
	case mappingNode:
		for _, f := range n.fields {
			parts = append(parts, yamlText(f.key)+": "+flow(f.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case sequenceNode:
		for _, item := range n.items {
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
	quoted, err := compact(text)
	if err != nil { // a string always has a JSON form
		return ""
	}
	return string(quoted)
}
