package noise

import (
	"cmp"
	"fmt"
	"math"

	"banditaudit/replay/policy/bitexact"
)

// otherReleases are the hypotheses on what was added to a released sum of n
// rows in the place of the declared N(n): n^κ·N(n) with κ = 1 (the noise of the
// sum was added to the mean) or −1 (it was divided by n once more), and for κ = −1,
// 0 and 1 noise that is drawn anew for every release: the whole multiset of
// N(n), or one variable of its widest scale.
func otherReleases(in *Input) []tried {
	var fresh, mean, twice tried
	if in.Recover != nil {
		mean.better(nodes(in, 1))
		twice.better(nodes(in, -1))
	}
	if in.Law != nil && !freshAnyway(in) {
		known := mixtures{}
		for _, one := range []bool{false, true} {
			for _, kappa := range []int{0, -1, 1} {
				fresh.better(prefixes(in, known, kappa, one))
			}
		}
	}
	mean.once, twice.once = true, true
	return []tried{
		fresh.ofReleases("fresh-prefixes", "every release has fresh noise"),
		mean.ofReleases("noise-on-mean", "the noise of the sum was added to the mean"),
		twice.ofReleases("noise-over-n-twice", "the noise was divided by the number of rows twice"),
	}
}

// ofReleases names a hypothesis that was tried on releases.
func (t *tried) ofReleases(name, bare string) tried {
	t.Name, t.Bare, t.Releases = name, bare, true
	return *t
}

// better takes what another trial found where it ranks before.
func (t *tried) better(other tried) {
	before := rank(other, *t)
	if other.Fits && t.Fits && !math.IsNaN(other.bic) && !math.IsNaN(t.bic) {
		before = cmp.Compare(other.bic, t.bic)
	}
	if t.Rows == 0 || before < 0 {
		*t = other
	}
}

// freshAnyway says that by the declared law every release has one variable of
// its own.
func freshAnyway(in *Input) bool {
	if len(in.Residues) != len(in.Draws) {
		return false
	}
	for _, x := range in.Residues {
		if parts := in.Law(x.Rows); len(parts) != 1 || parts[0].Count != 1 {
			return false
		}
	}
	return true
}

// nodes tries n^κ·N(n) with the declared draws.
func nodes(in *Input, kappa int) tried {
	scaled := rising(in.Residues)
	for i := range scaled {
		by := bitexact.Pow(float64(scaled[i].Rows), -float64(kappa))
		scaled[i].Value, scaled[i].Error = scaled[i].Value*by, scaled[i].Error*by
	}
	draws := in.Recover(scaled)
	for i := range draws {
		draws[i].Grid = 0
	}
	t := grown(in.sample(draws, nil), kappa, len(in.Residues))
	if in.redrawn() {
		t.Fits, t.Explained = false, 0
	}
	t.Words = timesPower(kappa) + t.Words
	t.cost = func() (float64, bool) { return nodesCost(in, kappa) }
	return t
}

// prefixes tries fresh noise for every release.
func prefixes(in *Input, known mixtures, kappa int, one bool) tried {
	picked := thin(in.Residues)
	draws, laws := make([]Draw, len(picked)), make([]*mixture, len(picked))
	for i, x := range picked {
		parts := in.Law(x.Rows)
		d := Draw{Stream: x.Stream, Row: x.Rows, Rows: x.Rows, Scale: widest(parts), Count: 1, Grid: in.Grid, Value: x.Value, Error: x.Error}
		if kappa != 0 {
			by := bitexact.Pow(float64(x.Rows), -float64(kappa))
			d.Grid, d.Value, d.Error = 0, x.Value*by, x.Error*by
		}
		if !one {
			laws[i] = known.of(parts)
			d.Count = 0
			for _, p := range parts {
				d.Count += p.Count
			}
		}
		draws[i] = d
	}
	t := grown(in.sample(draws, laws), kappa, len(in.Residues))
	what := "all the noise of a sum"
	if one {
		what = "one variable of the widest scale"
	}
	t.Words = fmt.Sprintf("every release has fresh noise, %s%s%s", what, andPower(kappa), t.Words)
	t.cost = func() (float64, bool) { return prefixesCost(in, kappa), in.More > 0 }
	return t
}

// grown holds a sample of the given number of releases, from which n^κ was taken out,
// against its law.
func grown(s *drawn, kappa, releases int) tried {
	p, at := held(s)
	t := tried{free: at != 1, bic: math.NaN()}
	t.fits(p, len(s.vars))
	if t.free {
		t.Words = fmt.Sprintf(", of %.4g times the declared scale", at)
	}
	t.Value, t.Lo, t.Hi = math.NaN(), math.NaN(), math.NaN()
	if len(s.vars) > 0 {
		k := exponent(s.vars, s.weights(at))
		if grows(k) {
			t.Fits, t.Explained = false, 0
		}
		t.Value, t.Lo, t.Hi = float64(kappa)+k.at, float64(kappa)+k.lo, float64(kappa)+k.hi
	}
	if t.Fits {
		t.ratio, t.bic = s.ratios(), s.bic(at, kappa, releases, t.free)
	}
	return t
}

func timesPower(kappa int) string {
	if kappa > 0 {
		return "the noise of the sum was added to the mean: the released sum has n times as much"
	}
	return "the noise was divided by the number of rows twice: the released sum has an n-th of it"
}

func andPower(kappa int) string {
	switch {
	case kappa > 0:
		return ", times the number of rows"
	case kappa < 0:
		return ", divided by the number of rows once more than the mean is"
	}
	return ""
}

// widest returns the largest scale.
func widest(parts []Component) float64 {
	var b float64
	for _, p := range parts {
		b = max(b, p.Scale)
	}
	return b
}

// redrawn says that released values changed although nothing was released: noise
// that is drawn once does not.
func (in *Input) redrawn() bool { return len(rising(in.Residues)) < len(in.Residues) }

// rising returns the first residue of each number of rows in each stream.
func rising(residues []Residue) []Residue {
	last, out := map[Stream]int64{}, make([]Residue, 0, len(residues))
	for _, x := range residues {
		if x.Rows > last[x.Stream] {
			last[x.Stream] = x.Rows
			out = append(out, x)
		}
	}
	return out
}

// thin returns residues evenly spread over the log.
func thin(residues []Residue) []Residue {
	if len(residues) <= most {
		return residues
	}
	out := make([]Residue, most)
	for i := range out {
		out[i] = residues[i*len(residues)/most]
	}
	return out
}
