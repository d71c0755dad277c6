package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// declaration adds the protocol as a table: what was declared, in its order,
// with what it means, and what was left out.
func declaration(b *page.Builder, r *digest.Digest, p *digest.Protocol) error {
	b.Heading(2, "The experiment as declared", "/protocol")
	b.Opening("What did the experimenter declare, and what did the auditor ask?", "all of it stands here, and nothing of it was read off the data")
	b.Say("A setting that the protocol file leaves out stands here with its default.")
	rows, err := protocolRows(r.Protocol, settingMeanings(r.Catalogue.Meanings()))
	if err != nil {
		return err
	}
	t := page.Table{
		Caption: "Effective protocol",
		Pointer: "/protocol",
		Columns: []page.Column{{Title: "Setting"}, {Title: "Declared, or default"}, {Title: "What it says"}},
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
	const free = "what is tested, at which level and by which method, which arms are compared, the range of rewards, the policy and the seed that the log is held against, and how the experiment was to end"
	if c == nil {
		b.Say("No commitment to this protocol was given. Whoever wrote it could have chosen after looking at the log " + free + "; analysis.chosen is their own word on that. banditaudit commit signs a protocol before the first round.")
		return
	}
	b.Say("This protocol was held against a commitment, an envelope with the SHA-256 " + c.SHA256 + "; the claim " + schemas.KindCommitted + " says with what outcome. Without it, whoever wrote the protocol could have chosen after looking at the log " + free + ".")
	b.Say("A commitment has no time. That it was there before the first round is the word of whoever shows it, unless somebody else had the envelope, or its SHA-256, by then; nor does it show that it is the only one. It is about the protocol, and about no row of the log, nor how many there are: the first part of a log passes.")
	if program != nil && len(program.SHA256) == 0 {
		b.Say("The policy is a program of which policy.sha256 names no file: the commitment does not bind what it does.")
	}
}

// node is a JSON value that remembers the order of its members.
type node struct {
	key     string
	scalar  string // of a leaf
	members []node
	array   bool
	leaf    bool
}

// protocolRows flattens the protocol.
func protocolRows(raw json.RawMessage, words meanings) ([]page.Row, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // a literal such as 0.25 is shown as it was written
	root, err := readNode(d, "")
	if err != nil {
		return nil, fmt.Errorf("report: results field protocol is not JSON: %w", err)
	}
	var rows []page.Row
	root.flatten("/protocol", nil, words, &rows)
	return rows, nil
}

// readNode reads one value. encoding/json bounds the depth.
func readNode(d *json.Decoder, key string) (node, error) {
	t, err := d.Token()
	if err != nil {
		return node{}, err
	}
	delim, ok := t.(json.Delim)
	if !ok {
		return node{key: key, leaf: true, scalar: plainValue(t)}, nil
	}
	n := node{key: key, array: delim == '['}
	for i := 0; d.More(); i++ {
		name := strconv.Itoa(i)
		if !n.array {
			k, keyErr := d.Token()
			if keyErr != nil {
				return node{}, keyErr
			}
			name = fmt.Sprint(k)
		}
		member, memberErr := readNode(d, name)
		if memberErr != nil {
			return node{}, memberErr
		}
		n.members = append(n.members, member)
	}
	_, err = d.Token() // the closing delimiter
	return n, err
}

func plainValue(t json.Token) string {
	switch v := t.(type) {
	case nil:
		return "null"
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return fmt.Sprint(t)
}

// flatten appends one row per leaf, per list of leaves, and per object in a
// list.
func (n *node) flatten(pointer string, path []string, words meanings, rows *[]page.Row) {
	if n.leaf || n.flat() || len(n.members) == 0 {
		*rows = append(*rows, settingRow(pointer, path, n.inline(), words))
		return
	}
	for i := range n.members {
		m := &n.members[i]
		next := page.Member(pointer, escapePointer(m.key))
		if n.array {
			*rows = append(*rows, settingRow(next, append(slices.Clip(path), m.name()), m.inline(), words))
			continue
		}
		m.flatten(next, append(slices.Clip(path), m.key), words, rows)
	}
}

// flat reports whether n is a list of leaves.
func (n *node) flat() bool {
	for i := range n.members {
		if !n.members[i].leaf {
			return false
		}
	}
	return n.array
}

// name is how an element of a list is called: by its own id, or its index.
func (n *node) name() string {
	for _, key := range []string{"id", "name", "column"} {
		for i := range n.members {
			if n.members[i].key == key && n.members[i].leaf {
				return n.members[i].scalar
			}
		}
	}
	return n.key
}

// inline writes a value in one line.
func (n *node) inline() string {
	const most = 100
	if n.leaf {
		return page.Spell(n.scalar)
	}
	if len(n.members) == 0 {
		return "none"
	}
	var parts []string
	for i := range n.members {
		if i == most {
			parts = append(parts, fmt.Sprintf("… and %d more", len(n.members)-most))
			break
		}
		m := &n.members[i]
		value := m.inline()
		if !m.leaf && len(m.members) > 0 {
			value = "[" + value + "]"
		}
		if !n.array {
			value = page.Spell(m.key) + ": " + value
		}
		parts = append(parts, value)
	}
	if n.array {
		return strings.Join(parts, ", ")
	}
	return strings.Join(parts, "; ")
}

// escapePointer escapes a member name for a JSON pointer (RFC 6901), made
// visible because the pointer is printed.
func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(page.Spell(key))
}

func settingRow(pointer string, path []string, value string, words meanings) page.Row {
	shown := make([]string, 0, len(path))
	for _, p := range path {
		shown = append(shown, page.Label(p))
	}
	return page.Row{Pointer: pointer, Cells: []page.Cell{
		page.Text(strings.Join(shown, " › ")),
		page.Number(value, pointer),
		{Spans: page.Plain(words.of(path))},
	}}
}
