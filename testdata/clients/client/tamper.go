package client

import "slices"

// tampered is how many rounds are tampered with.
const tampered = 10

// Tampering changes ten rounds of a log.
type Tampering struct {
	Name  string
	needs func(c *Case) bool // nil: it can be done to every log
	round func(r *Row, arms []string)
}

// Tamperings are those of the page.
func Tamperings() []Tampering {
	return []Tampering{
		{Name: "actions", round: otherArm},
		{Name: "propensities", needs: (*Case).logsPropensities, round: otherPropensity},
		{Name: "rewards", round: func(r *Row, _ []string) { r.Reward = 1 - r.Reward }},
	}
}

// Fits reports whether a log has what is tampered with.
func (t *Tampering) Fits(c *Case) bool { return t.needs == nil || t.needs(c) }

// Of is a log with ten of its rounds tampered with, spread over it from a tenth of its
// length on.
func (t *Tampering) Of(c *Case) *Case {
	out := *c
	out.Rows = slices.Clone(c.Rows)
	arms := c.arms()
	from, step := len(c.Rows)/10, len(c.Rows)*9/10/tampered
	for i := range tampered {
		r := &out.Rows[from+i*step]
		r.ByArm = slices.Clone(r.ByArm)
		t.round(r, arms)
	}
	return &out
}

// arms are the labels that were played, in the order of their bytes, which is that of
// the arms of every protocol here.
func (c *Case) arms() []string {
	var out []string
	for i := range c.Rows {
		if !slices.Contains(out, c.Rows[i].Action) {
			out = append(out, c.Rows[i].Action)
		}
	}
	slices.Sort(out)
	return out
}

// otherArm logs the next arm for the one that was played, with its propensity where it
// is known, as somebody would who wants it not to be seen.
func otherArm(r *Row, arms []string) {
	next := (slices.Index(arms, r.Action) + 1) % len(arms)
	r.Action = arms[next]
	if len(r.ByArm) > 0 && r.P != nil {
		r.P = &r.ByArm[next]
	}
}

// otherPropensity exchanges the propensities of the played arm and of the next one;
// where the played one's alone is logged it becomes what is left of one.
func otherPropensity(r *Row, arms []string) {
	played := slices.Index(arms, r.Action)
	next := (played + 1) % len(arms)
	switch {
	case len(r.ByArm) > 0:
		r.ByArm[played], r.ByArm[next] = r.ByArm[next], r.ByArm[played]
		if r.P != nil {
			r.P = &r.ByArm[played]
		}
	default:
		rest := 1 - *r.P
		r.P = &rest
	}
}
