package shard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// Set are the fragments of one audit. Errors of its methods say what is wrong with them.
type Set struct {
	Head   *Head    // what all have; of the first
	Places []Placed // of all outcomes, in the order of the log once Whole has said so

	files   []*File
	names   []string
	reading []string // of the first shuffled part with rows
	readIn  string   // its file
}

// Placed is where an outcome stands.
type Placed struct {
	Entry

	Name string // of the fragment's file
}

// Add takes up a fragment that was read from the file of that name.
func (p *Set) Add(name string, f *File) error {
	if why := p.Head.Foreign(&f.Head); why != "" {
		return fmt.Errorf("%s does not belong to the fragments of this audit: %s", schemas.Printable(name), why)
	}
	if err := p.alike(f, name); err != nil {
		return err
	}
	p.files, p.names = append(p.files, f), append(p.names, name)
	for _, e := range f.Entries {
		if !f.Head.Owns(e.ID) {
			return fmt.Errorf("%s holds experiment %s, which is not of part %s", schemas.Printable(name), schemas.Named(e.ID), f.Head.Part)
		}
		p.Places = append(p.Places, Placed{e, name})
	}
	f.Entries, f.Head.Inputs = nil, nil
	return nil
}

// Whole puts the outcomes into the order of the log, which by says of ids, and refuses what
// is not one whole audit. ids lists the ids of the log's experiments, where they are known.
func (p *Set) Whole(by func(ids []string) func(a, b string) int, ids []string) error {
	order := func(a, b *Placed) int { return cmp.Compare(a.Index, b.Index) }
	if p.Head.Shuffled() {
		byID := by(p.IDs())
		order = func(a, b *Placed) int { return byID(a.ID, b.ID) }
	}
	slices.SortStableFunc(p.Places, func(a, b Placed) int { return order(&a, &b) })
	if err := p.complete(ids); err != nil {
		return err
	}
	return p.apart()
}

// IDs lists the ids of the experiments, in the order of Places.
func (p *Set) IDs() []string {
	out := make([]string, len(p.Places))
	for i := range p.Places {
		out[i] = p.Places[i].ID
	}
	return out
}

// complete says what is doubled or missing.
func (p *Set) complete(known []string) error {
	first := map[Part]string{}
	for i, f := range p.files {
		if n := p.files[0].Head.N; f.Head.N != n {
			return fmt.Errorf("%s is a part of %d, and %s of %d: give the fragments of one division alone", schemas.Printable(p.names[0]), n, schemas.Printable(p.names[i]), f.Head.N)
		}
		if other, twice := first[f.Head.Part]; twice && !f.Head.Shuffled() {
			return fmt.Errorf("part %s is given twice: %s and %s", f.Head.Part, schemas.Printable(other), schemas.Printable(p.names[i]))
		}
		first[f.Head.Part] = p.names[i]
	}
	ids := map[string]string{}
	for i, at := range p.Places {
		other, twice := ids[at.ID]
		if twice || i > 0 && !p.Head.Shuffled() && p.Places[i-1].Index == at.Index {
			return fmt.Errorf("experiment %s is there twice: in %s and %s; an experiment is never split, all its rows belong into one part", schemas.Named(at.ID), schemas.Printable(cmp.Or(other, p.Places[max(0, i-1)].Name)), schemas.Printable(at.Name))
		}
		ids[at.ID] = at.Name
	}
	n := p.Head.Experiments
	switch {
	case p.Head.Shuffled() && len(p.Places) > n:
		return fmt.Errorf("the fragments hold %s, and log.json says that the log has %s: count all files of the log again, with census", schemas.Counted(len(p.Places), "experiment"), schemas.Grouped(int64(n)))
	case len(p.Places) != n:
		return fmt.Errorf("the fragments hold %s of the %s experiments of the log%s", schemas.Grouped(int64(len(p.Places))), schemas.Grouped(int64(n)), p.missing(first, known))
	case len(known) > 0 && !slices.Equal(known, p.IDs()):
		return fmt.Errorf("the fragments hold other experiments than the log%s", p.missing(first, known))
	}
	rows := int64(0)
	for _, f := range p.files {
		rows += f.Rows
	}
	if want := p.Head.Rows(); rows != want {
		return fmt.Errorf("the experiments of the fragments have %s rows, the files of the log have %s", schemas.Grouped(rows), schemas.Grouped(want))
	}
	return nil
}

// missing names the parts that are not there, where all are parts of as many, or the
// experiments.
func (p *Set) missing(has map[Part]string, known []string) string {
	const most = 20
	n, what := p.files[0].Head.N, "part "
	var out []string
	for i := 0; i < n && len(out) <= most; i++ {
		if _, ok := has[Part{I: i, N: n}]; !ok {
			out = append(out, Part{I: i, N: n}.String())
		}
	}
	if p.Head.Shuffled() {
		what = "experiment "
		there := map[string]bool{}
		for _, id := range p.IDs() {
			there[id] = true
		}
		for _, id := range known {
			if !there[id] && len(out) <= most {
				out = append(out, schemas.Named(id))
			}
		}
	}
	if len(out) > most {
		out[most] = "…"
	}
	if len(out) == 0 {
		return ""
	}
	return "; missing: " + what + strings.Join(out, ", ")
}

// alike refuses a part of which a column was read otherwise than in the others: one audit
// reads it in one way.
func (p *Set) alike(f *File, name string) error {
	if f.Count == 0 || !f.Head.Shuffled() {
		return nil
	}
	if p.reading == nil {
		p.reading, p.readIn = f.Head.Reading, name
	}
	for i := range max(len(p.reading), len(f.Head.Reading)) {
		var a, b string
		if i < len(p.reading) {
			a = p.reading[i]
		}
		if i < len(f.Head.Reading) {
			b = f.Head.Reading[i]
		}
		if a != b {
			return fmt.Errorf("the parts were read differently: %s where %s has %s; have the engine write every part with the types of the log, numbers as numbers", schemas.Printable(p.readIn+": "+a), schemas.Printable(name), schemas.Printable(b))
		}
	}
	return nil
}

// apart refuses shuffled parts whose experiments share noise, which audits of parts do
// not see.
func (p *Set) apart() error {
	seen := map[string]string{}
	for i := range p.Places {
		at := &p.Places[i]
		for _, noise := range at.Prints {
			if other, ok := seen[noise]; ok && other != at.ID {
				return fmt.Errorf("experiments %s and %s share noise, which a counter never draws: what follows for them only one audit of the whole log says; audit without --log or with --part I/N", schemas.Named(other), schemas.Named(at.ID))
			}
			seen[noise] = at.ID
		}
		at.Prints = nil
	}
	return nil
}

// Manifest makes the manifest of the bundle, with its fragments sorted.
func (p *Set) Manifest() *Manifest {
	m := &Manifest{
		Schema: ManifestSchema, Tool: p.Head.Tool, Inputs: p.Head.Inputs, Rows: p.Head.Rows(),
		Experiments: p.Head.Experiments, Protocol: p.Head.Protocol, Log: p.Head.Log,
	}
	for _, f := range p.files {
		m.Fragments = append(m.Fragments, Listed{Part: f.Head.Part, Experiments: f.Count, Rows: f.Rows, SHA256: f.SHA256})
	}
	slices.SortFunc(m.Fragments, func(a, b Listed) int {
		return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.I, b.I), cmp.Compare(a.SHA256, b.SHA256))
	})
	return m
}
