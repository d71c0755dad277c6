package faults

import "strings"

// Case is a declared bandit and what the deployed one did instead.
type Case struct {
	Mechanism Mechanism
	Faults    string // words of simulate --fault, with commas between; "" for none
}

// Cases lists the rows of the table.
func Cases() []Case {
	m := Mechanisms()
	plain, slow, drawn, exact := m[0], m[1], m[2], m[3]
	var out []Case
	add := func(m Mechanism, faults ...string) {
		for _, f := range faults {
			out = append(out, Case{m, f})
		}
	}
	add(plain, "no-noise", "redraw", "half-scale", "noise-on-mean", "noise-over-n-twice", "log2-levels", "wrong-arm-stream", "fresh-prefixes", Described)
	add(drawn, "no-noise", "redraw", "half-scale", "noise-on-mean", "noise-over-n-twice", "wrong-arm-stream", "fresh-prefixes")
	add(slow, "extra-update")
	add(exact, "extra-update", "propensity-uniform", "propensity-stale", "propensity-swapped", "propensity-loglik")
	return out
}

// Described are the faults of a private UCB that is known by its description:
// its tree draws new noise for every prefix, and the noise is divided by the
// number of rows once more than the sum is.
const Described = "fresh-prefixes,noise-over-n-twice"

func (c Case) faults() []string {
	if c.Faults == "" {
		return nil
	}
	return strings.Split(c.Faults, ",")
}

// Name is the name of a row.
func (c Case) Name() string {
	if c.Faults == "" {
		return "none"
	}
	return strings.ReplaceAll(c.Faults, ",", " + ")
}
