package explain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"banditaudit/cmd/kit/layout"
	"banditaudit/schemas"
)

// Explanation is what is said of a name: the document that --json prints.
type Explanation struct {
	Schema string `json:"schema"` // explanation.v1
	ID     string `json:"id"`
	*Entry

	Run *OfRun `json:"run"` // null where no bundle was given
}

// OfRun is what a run had of it.
type OfRun struct {
	RunID   string  `json:"run_id"`
	Overall string  `json:"overall"`
	Found   []Found `json:"found"`
	More    int     `json:"more"` // places that are not in found
}

// Explain puts together what is said of an entry; run is nil where no bundle was given.
func Explain(e *Entry, run *Run) (*Explanation, error) {
	x := &Explanation{Schema: "explanation.v1", ID: e.ID(), Entry: e}
	if run == nil {
		return x, nil
	}
	found, more, err := run.Had(e)
	x.Run = &OfRun{run.Head.RunID, run.Head.Overall, found, more}
	return x, err
}

// Print writes the explanation as text of a width. Whatever came from a log is shown as
// text, also where it looks like something else.
func (x *Explanation) Print(w io.Writer, width int) error {
	var b strings.Builder
	about := line(x.About)
	if x.of != "" {
		about += " (a claim of kind " + line(x.of) + ")"
	}
	fmt.Fprintf(&b, "%s - %s\n", schemas.Named(schemas.Printable(x.ID)), about)
	if x.Run != nil {
		x.Run.print(&b)
	}
	if x.Changes != "" && !x.Run.changes() {
		b.WriteString("\nWHAT WOULD CHANGE IT\n\n" + line(x.Changes) + "\n")
	}
	if len(x.Facts) > 0 {
		b.WriteString("\nWHAT IS KNOWN OF IT\n\n")
		facts(&b, "", x.Facts)
	}
	if len(x.Made) > 0 {
		b.WriteString("\nHOW IT IS MADE\n\n")
		for _, m := range x.Made {
			b.WriteString("- " + line(made(m)) + "\n")
		}
	}
	if len(x.Manual) > 0 {
		b.WriteString("\nFROM THE MANUAL\n\n" + layout.Printable(strings.Join(x.Manual, "\n")) + "\n")
	}
	if len(x.See) > 0 {
		b.WriteString("\nSEE ALSO\n\n")
		for _, id := range x.See {
			topic, isTopic := strings.CutPrefix(id, "topic:")
			b.WriteString("- banditaudit " + cmp.Or(map[bool]string{true: "help " + topic}[isTopic], "explain "+id) + "\n")
		}
	}
	_, err := io.WriteString(w, layout.Reflow(b.String(), width))
	return err
}

// made says how something is made and after whom.
func made(m Made) string {
	out := m.How
	if m.Number != "" {
		out = m.Number + ": " + out
	}
	if m.After != "" {
		out = strings.TrimPrefix(out+" Source: "+m.After+".", " ")
	}
	return out
}

// changes reports whether what was found says itself what would change it.
func (r *OfRun) changes() bool {
	return r != nil && slices.ContainsFunc(r.Found, func(f Found) bool { return f.Changes != "" })
}

// print adds what the run had.
func (r *OfRun) print(b *strings.Builder) {
	const digits = 12
	fmt.Fprintf(b, "\nIN THIS RUN (%s, %s)\n\n", line(r.RunID[:min(digits, len(r.RunID))]), line(r.Overall))
	switch all := int64(r.More + len(r.Found)); {
	case all == 0:
		b.WriteString("Nothing in it is called so.\n")
	case r.More > 0:
		fmt.Fprintf(b, "In %s, of which %d are shown; results.json has all.", schemas.Counted(all, "place"), len(r.Found))
		if r.Found[0].Experiment != r.Found[len(r.Found)-1].Experiment {
			b.WriteString(" With --experiment ID those of one experiment are.")
		}
		b.WriteString("\n\n")
	}
	for _, f := range r.Found {
		at := f.Pointer
		if f.Experiment != "" {
			at = "experiment " + schemas.Named(schemas.Printable(f.Experiment)) + ", " + at
		}
		b.WriteString("- " + line(at) + "\n")
		facts(b, "  ", f.Facts)
		if f.Changes != "" {
			b.WriteString("  - what would change it: " + line(f.Changes) + "\n")
		}
	}
}

func facts(b *strings.Builder, indent string, list []Fact) {
	for _, f := range list {
		b.WriteString(indent + "- " + line(f.Name) + ":")
		if several, ok := f.Value.([]string); ok {
			for _, one := range several {
				b.WriteString("\n" + indent + "  - " + line(one))
			}
			b.WriteString("\n")
			continue
		}
		b.WriteString(" " + line(value(f.Value)) + "\n")
	}
}

// value writes a value on a line.
func value(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', 6, 64)
	case nil:
		return "null"
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// line is a text that came from anywhere, on one line of a list.
func line(text string) string { return schemas.Printable(strings.Join(strings.Fields(text), " ")) }
