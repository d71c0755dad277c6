package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
	"banditaudit/schemas/tree"
)

// declaration adds the protocol as a table: what was declared, in its order,
// with what it means, and what was left out.
func declaration(b *page.Builder, r *digest.Digest, p *digest.Protocol) error {
	b.Heading(2, "The experiment as declared", "/protocol")
	b.Opening("What did the experimenter declare, and what did the auditor ask?", "all of it, with defaults where the file is "+
		"silent; nothing was read off the data")
	rows, err := protocolRows(r.Protocol)
	if err != nil {
		return err
	}
	t := page.Table{
		Caption: "Effective protocol",
		Pointer: "/protocol",
		Columns: []page.Column{{Title: "Setting"}, {Title: "Declared, or default"}},
		Rows:    append(rows, undeclared(p)...),
		RowHead: true,
	}
	b.Add(t)
	committed(b, r.Commitment, p.Program)
	return nil
}

// committed says who could have chosen what after looking, and what a commitment does
// not show.
func committed(b *page.Builder, c *schemas.Commitment, program *schemas.Policy) {
	const free = "tests, level, methods, reward range, policy, seed and stopping rule"
	if c == nil {
		b.Say("No commitment to this protocol was given. Its author could have chosen after looking at the log " + free + "; " +
			"analysis.chosen is the author's word. banditaudit commit signs a protocol before the first round.")
		return
	}
	b.Say("This protocol was compared with a commitment, an envelope with the SHA-256 " + c.SHA256 + "; the claim " +
		schemas.KindCommitted + " has the outcome. Without it, the author of the protocol could have chosen after looking at the " +
		"log " + free + ".")
	b.Say("A commitment has no time: that it was there before the first round is the word of whoever shows it, unless somebody " +
		"else had the envelope, or its SHA-256, by then. It does not show that it is the only one. It covers the protocol and no " +
		"row of the log, nor their number: the first part of a log passes.")
	if program != nil && len(program.SHA256) == 0 {
		b.Say("The policy is a program of which policy.sha256 names no file: the commitment does not bind what it does.")
	}
}

// protocolRows flattens the protocol.
func protocolRows(raw json.RawMessage) ([]page.Row, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	root, err := tree.ParseJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("report: results field protocol is not JSON: %w", err)
	}
	var rows []page.Row
	flatten(root, "/protocol", nil, &rows)
	return rows, nil
}

// flatten appends one row per object with its own leaves, and per object in a list. At the
// first level every leaf has a row.
func flatten(n *tree.Node, pointer string, path []string, rows *[]page.Row) {
	if leaf(n) {
		*rows = append(*rows, settingRow(pointer, path, inline(n)))
		return
	}
	for i, m := range n.Items {
		*rows = append(*rows, settingRow(page.Element(pointer, i), append(slices.Clip(path), itemName(m, i)), inline(m)))
	}
	own := *n
	own.Fields = nil
	for _, f := range n.Fields {
		if len(path) > 0 && leaf(f.Value) {
			own.Fields = append(own.Fields, f)
		}
	}
	if len(own.Fields) > 0 {
		*rows = append(*rows, settingRow(pointer, path, inline(&own)))
	}
	for _, f := range n.Fields {
		if len(path) > 0 && leaf(f.Value) {
			continue
		}
		flatten(f.Value, page.Member(pointer, escapePointer(f.Key)), append(slices.Clip(path), f.Key), rows)
	}
}

// leaf reports whether a value, or a list of values, holds no object.
func leaf(n *tree.Node) bool {
	return len(n.Fields) == 0 && !slices.ContainsFunc(n.Items, func(m *tree.Node) bool { return m.Kind > tree.Scalar })
}

// itemName names an element of a list: by its own id, or its index.
func itemName(n *tree.Node, index int) string {
	for _, key := range []string{"id", "name", "column"} {
		for _, f := range n.Fields {
			if f.Key == key && f.Value.Kind <= tree.Scalar {
				return scalar(f.Value)
			}
		}
	}
	return strconv.Itoa(index)
}

func scalar(n *tree.Node) string {
	if n.Kind == tree.Null {
		return "null"
	}
	return n.Text
}

// inline writes a value in one line.
func inline(n *tree.Node) string {
	const most = 100
	if n.Kind <= tree.Scalar {
		return page.Spell(scalar(n))
	}
	var parts []string
	add := func(head string, m *tree.Node) {
		value := inline(m)
		if len(m.Items)+len(m.Fields) > 0 {
			value = "[" + value + "]"
		}
		parts = append(parts, head+value)
	}
	for _, m := range n.Items {
		add("", m)
	}
	for _, f := range n.Fields {
		add(page.Spell(f.Key)+": ", f.Value)
	}
	switch more := len(parts) - most; {
	case len(parts) == 0:
		return "none"
	case more > 0:
		parts = append(parts[:most], fmt.Sprintf("… and %d more", more))
	}
	if n.Kind == tree.Sequence {
		return strings.Join(parts, ", ")
	}
	return strings.Join(parts, "; ")
}

// escapePointer escapes a member name for a JSON pointer (RFC 6901), made
// visible because the pointer is printed.
func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(page.Spell(key))
}

func settingRow(pointer string, path []string, value string) page.Row {
	shown := make([]string, 0, len(path))
	for _, p := range path {
		shown = append(shown, page.Label(p))
	}
	return page.Row{Pointer: pointer, Cells: []page.Cell{
		page.Text(strings.Join(shown, " › ")),
		page.Number(value, pointer),
	}}
}
