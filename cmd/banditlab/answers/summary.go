package answers

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// pooled is what a method answered to a question in all settings of a twist.
type pooled struct {
	kind, method, twist string
	settings            int
	rejects             [2]worst // alike and apart
	out                 worst
}

// worst adds up a rate over settings and remembers where it was largest.
type worst struct {
	hits, of int
	largest  float64
	where    string
	above    int // settings whose rate alone shows that the chance is above alpha
}

// chance is how rarely a rate of chance alpha may be as large as one that counts as
// above alpha.
const chance = .001

func (w *worst) add(s *Setting, hits, of int) {
	if of == 0 {
		return
	}
	w.hits += hits
	w.of += of
	if rate := float64(hits) / float64(of); w.where == "" || rate > w.largest {
		w.largest, w.where = rate, s.short()
	}
	if hits > 0 && (distuv.Binomial{N: float64(of), P: alpha}).Survival(float64(hits-1)) < chance {
		w.above++
	}
}

func (w *worst) String() string {
	if w.of == 0 {
		return "– | – | –"
	}
	return fmt.Sprintf("%s | %.3f (%s) | %d", rate(w.hits, w.of), w.largest, w.where, w.above)
}

// summary is the table over all settings that were counted.
func (b *Book) summary(settings []Setting) string {
	var lines []*pooled
	at := map[string]*pooled{}
	for i := range settings {
		s := &settings[i]
		c := b.Of(s)
		if c == nil {
			continue
		}
		for j := range c.Found {
			y := &c.Found[j]
			key := y.Kind + "\x00" + y.Method + "\x00" + s.Twist.Name
			if at[key] == nil {
				at[key] = &pooled{kind: y.Kind, method: y.Method, twist: s.Twist.Name}
				lines = append(lines, at[key])
			}
			at[key].add(s, y)
		}
	}
	var out strings.Builder
	for _, kind := range kinds() {
		fmt.Fprintf(&out, "\n### %s: %s\n\n| method | world | settings | rejects, alike | largest | above | rejects, apart | out | largest | above |\n|---|---|---|---|---|---|---|---|---|---|\n", kind.id, kind.words)
		for _, method := range methodsOf(lines, kind.id) {
			for _, p := range lines {
				if p.kind == kind.id && p.method == method {
					out.WriteString(p.line())
				}
			}
		}
	}
	return out.String()
}

// methodsOf are the methods that answer a question, in the order in which they appear.
func methodsOf(lines []*pooled, kind string) []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range lines {
		if p.kind == kind && !seen[p.method] {
			seen[p.method] = true
			out = append(out, p.method)
		}
	}
	return out
}

func (p *pooled) add(s *Setting, y *Tally) {
	p.settings++
	for world := range 2 {
		p.rejects[world].add(s, y.Rejected[world], y.Asked[world])
		p.out.add(s, y.Missed[world], y.Interval[world])
	}
}

func (p *pooled) line() string {
	twist := p.twist
	if twist == "" {
		twist = "plain"
	}
	return fmt.Sprintf("| %s | %s | %d | %s | %s | %s |\n", p.method, twist, p.settings, &p.rejects[0], rate(p.rejects[1].hits, p.rejects[1].of), &p.out)
}

// short names a setting in a line of a twist.
func (s *Setting) short() string {
	return fmt.Sprintf("%s, %s, K=%d, T=%d", s.Policy.Name, s.Law.Name, s.Arms, s.Rounds)
}
