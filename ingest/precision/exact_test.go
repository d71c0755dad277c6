package precision

import (
	"math"
	"math/rand/v2"
	"testing"
)

const exactRounds = 2000

// column is a log's propensities: of the played arms, or rows of all arms where p is nil.
type column struct {
	k    int
	arms []int32
	p    []float64
	rows []float64
}

// fixedShares are rounds with the same propensities.
func fixedShares(draw *rand.Rand, shares ...float64) column {
	return drawn(draw, len(shares), func(int) []float64 { return shares })
}

// drawn are rounds with the propensities that of gives, and arms drawn from them.
func drawn(draw *rand.Rand, k int, of func(t int) []float64) column {
	c := column{k: k}
	for t := range exactRounds {
		p := of(t)
		u, arm := draw.Float64(), 0
		for arm < k-1 && u >= p[arm] {
			u -= p[arm]
			arm++
		}
		c.arms, c.p, c.rows = append(c.arms, int32(arm)), append(c.p, p[arm]), append(c.rows, p...)
	}
	return c
}

// greedy is ε-greedy whose greedy arm changes.
func greedy(draw *rand.Rand, k int, eps func(t int) float64) column {
	return drawn(draw, k, func(t int) []float64 {
		out, e := make([]float64, k), eps(t)
		for a := range out {
			out[a] = e / float64(k)
		}
		out[t/50%k] += 1 - e
		return out
	})
}

// learned has the probabilities of a policy that learns, rounded by how.
func learned(draw *rand.Rand, k int, how func(p []float64)) column {
	return drawn(draw, k, func(int) []float64 {
		out, sum := make([]float64, k), 0.0
		for a := range out {
			out[a] = .05 + draw.Float64()
			sum += out[a]
		}
		for a := range out {
			out[a] /= sum
		}
		how(out)
		return out
	})
}

// to rounds shares to so many decimals; last gives the last one what the others leave.
func to(decimals int, last bool) func(p []float64) {
	unit := math.Pow10(decimals)
	return func(p []float64) {
		left := 1.0
		for a := range p {
			p[a] = math.Round(p[a]*unit) / unit
			left -= p[a]
		}
		if last {
			p[len(p)-1] = math.Round((p[len(p)-1]+left)*unit) / unit
		}
	}
}

// seen is the column, taken in two parts.
func (c *column) seen(byRow bool) *Exact {
	var parts [2]Exact
	for i := range parts {
		from, end := i*len(c.arms)/2, (i+1)*len(c.arms)/2
		if byRow {
			parts[i].TakeRows(c.rows[from*c.k:end*c.k], c.k, func(int) bool { return false })
		} else {
			parts[i].Take(c.k, c.arms[from:end], c.p[from:end])
		}
	}
	parts[0].Merge(&parts[1])
	return &parts[0]
}

// The table of what was tried, formula sheet of answers with an interval, section 8.
func TestExact(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 8))
	whole := func([]float64) {}
	constant := func(e float64) func(int) float64 { return func(int) float64 { return e } }
	decaying := func(t int) float64 { return min(1, 7/float64(t+1)) }
	equalShares := func(k int) column {
		out := make([]float64, k)
		for a := range out {
			out[a] = 1 / float64(k)
		}
		return fixedShares(draw, out...)
	}
	threeDecimals := greedy(draw, 3, constant(.1))
	for i := range threeDecimals.p {
		threeDecimals.p[i] = math.Round(1000*threeDecimals.p[i]) / 1000
	}
	twelve := learned(draw, 3, whole)
	for batch := range 12 {
		first := batch * exactRounds / 12
		share := []float64{.1 * float64(1+batch%5), .1 * float64(1+batch%3), 0}
		share[2] = math.Round(10*(1-share[0]-share[1])) / 10
		for i := first; i < (batch+1)*exactRounds/12; i++ {
			copy(twelve.rows[3*i:], share)
			twelve.p[i] = share[twelve.arms[i]]
		}
	}
	thirds := fixedShares(draw, .333, .333, .333)
	for _, c := range []struct {
		name  string
		of    column
		byRow bool
		want  string
	}{
		{"1/2", equalShares(2), false, ExactEqual},
		{"1/4", equalShares(4), false, ExactEqual},
		{"0.2 of five arms", equalShares(5), false, ExactEqual},
		{"0.1 of ten arms", equalShares(10), false, ExactEqual},
		{"0.1 of ten arms, all", equalShares(10), true, ExactPatterns},
		{"0.3333333333333333", equalShares(3), false, ExactEqual},
		{"epsilon-greedy 0.1, K = 3", greedy(draw, 3, constant(.1)), false, ExactTwo},
		{"epsilon-greedy 0.2, K = 5", greedy(draw, 5, constant(.2)), false, ExactTwo},
		{"epsilon-greedy 0.1, K = 20", greedy(draw, 20, constant(.1)), false, ExactTwo},
		{"epsilon-greedy 0.3, K = 10", greedy(draw, 10, constant(.3)), false, ExactTwo},
		{"epsilon-greedy 0.3, K = 10, all", greedy(draw, 10, constant(.3)), true, ExactPatterns},
		{"decaying epsilon", greedy(draw, 3, decaying), false, ExactFull},
		{"decaying epsilon, all", greedy(draw, 3, decaying), true, ExactFull},
		{"Thompson", learned(draw, 3, whole), false, ExactFull},
		{"Thompson, all", learned(draw, 3, whole), true, ExactFull},
		{"fixed .5/.3/.2", fixedShares(draw, .5, .3, .2), false, ExactByArm},
		{"two contexts, all", drawn(draw, 3, func(t int) []float64 { return [][]float64{{.5, .3, .2}, {.1, .1, .8}}[t%2] }), true, ExactPatterns},
		{".333", thirds, false, ""},
		{".333, all", thirds, true, ""},
		{"epsilon-greedy 0.1, K = 3, to 3 decimals", threeDecimals, false, ""},
		{"decaying epsilon to 3 decimals", rounded(greedy(draw, 3, decaying), 3), false, ""},
		{"Thompson to 2 decimals", learned(draw, 3, to(2, false)), false, ""},
		{"Thompson to 3 decimals, all", learned(draw, 3, to(3, false)), true, ""},
		{"Thompson to 3 decimals, the last gets the rest", learned(draw, 3, to(3, true)), true, ""},
		{"shares of 1,000 draws", learned(draw, 3, to(3, true)), false, ""},
		{"1-decimal shares of 12 batches", twelve, false, ""},
		{"1-decimal shares of 12 batches, all", twelve, true, ""},
	} {
		e := c.of.seen(c.byRow)
		got := e.Played(false)
		if c.byRow {
			got = e.Rows()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got = e.Played(true); !c.byRow && got != "" && got != ExactFull {
			t.Errorf("%s, where arms differ that can be played: %q", c.name, got)
		}
		if len(e.played) > mostPlayed || len(e.patterns) > mostPatterns+1 {
			t.Errorf("%s: %d values and %d sets are kept", c.name, len(e.played), len(e.patterns))
		}
	}
	var none Exact
	if none.Played(false) != "" || none.Rows() != "" {
		t.Error("nothing that was seen is exact")
	}
}

// rounded has the propensities of a column to so many decimals.
func rounded(c column, decimals int) column {
	unit := math.Pow10(decimals)
	for i := range c.p {
		c.p[i] = math.Round(c.p[i]*unit) / unit
	}
	return c
}

// Values that are float32 of few decimals or digits are not written in full; those of a
// policy that learns are, in float64. 6 digits of a small number are not in full either.
func TestUnrounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p    float64
		want bool
	}{
		{float64(float32(.001)), false},
		{float64(float32(.333)), false},
		{float64(float32(1.23456e-4)), false},
		{1.23456e-7, false},
		{.1 + .2, false},
		{1. / 3, true},
		{1.2345678901e-7, true},
		{float64(float32(1. / 3e5)), true},
	} {
		if got := unrounded(c.p); got != c.want {
			t.Errorf("%.17g: %v", c.p, got)
		}
	}
	draw := rand.New(rand.NewPCG(5, 8))
	for name, how := range map[string]func([]float64){"2 decimals": to(2, false), "3 decimals": to(3, false), "4 decimals": to(4, true)} {
		c := learned(draw, 3, how)
		for i, p := range c.p {
			c.p[i] = float64(float32(p))
		}
		var e Exact
		e.Take(c.k, c.arms, c.p)
		if got := e.Played(false); got != "" {
			t.Errorf("%s in float32: %q", name, got)
		}
	}
}

// Shares that do not add up to 1, and would if each were off by half a unit, were rounded;
// others are not said to be.
func TestRoundedTo(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(6, 3))
	for name, c := range map[string]struct {
		column
		want int
	}{
		"an even share of 3":           {fixedShares(draw, .33, .33, .34), 0},
		"rounded, of 3":                {fixedOf(draw, .33, .33, .33), 2},
		"rounded, of 7":                {fixedOf(draw, .14, .14, .14, .14, .14, .14, .14), 2},
		"to one decimal, of 3":         {fixedOf(draw, .3, .3, .3), 1},
		"by arm":                       {fixedOf(draw, .67, .17, .17), 2},
		"ε-greedy":                     {greedyOf(draw, .93, .03, 3), 2},
		"exact ε-greedy":               {greedyOf(draw, .9, .05, 3), 0},
		"3 decimals":                   {fixedOf(draw, .333, .333, .333), 0},
		"an even share of fewer arms":  {fixedOf(draw, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1), 0},
		"an even share of more arms":   {fixedOf(draw, .1, .1, .1, .1, .1, .1, .1), 1},
		"an arm that is never played":  {ofMore(fixedOf(draw, .33, .33, .33)), 2},
		"behind rounds with no choice": {forced(greedyOf(draw, .93, .03, 3)), 2},
		"exact in float32":             {inFloat32(fixedOf(draw, .5, .3, .2)), 0},
		"two arms in float32":          {inFloat32(fixedOf(draw, .9, .1)), 0},
		"ε-greedy in float32":          {inFloat32(greedyOf(draw, .8, .1, 3)), 0},
		"rounded, in float32":          {inFloat32(fixedOf(draw, .33, .33, .33)), 2},
		"far off":                      {fixedOf(draw, .45, .45, .45), 0},
	} {
		var e Exact
		e.Take(c.k, c.arms, c.p)
		if got := e.RoundedTo(false); got != c.want {
			t.Errorf("%s: %d decimals, want %d", name, got, c.want)
		}
		if e.RoundedTo(true) != 0 {
			t.Errorf("%s: where it can differ which arms could be played", name)
		}
	}
}

// fixedOf are rounds of arms that have these values, whatever they add up to.
func fixedOf(draw *rand.Rand, p ...float64) column {
	c := column{k: len(p)}
	for range exactRounds {
		arm := draw.IntN(len(p))
		c.arms, c.p = append(c.arms, int32(arm)), append(c.p, p[arm])
	}
	return c
}

// ofMore declares one more arm, which is never played.
func ofMore(c column) column {
	c.k++
	return c
}

// forced begins with rounds that leave no choice.
func forced(c column) column {
	for i := range c.k {
		c.arms[i], c.p[i] = int32(i), 1
	}
	return c
}

// inFloat32 rounds the values to float32.
func inFloat32(c column) column {
	for i, p := range c.p {
		c.p[i] = float64(float32(p))
	}
	return c
}

// greedyOf are rounds whose greedy arm changes, with the value of the greedy arm and of others.
func greedyOf(draw *rand.Rand, high, low float64, k int) column {
	c := column{k: k}
	for t := range exactRounds {
		arm, p := draw.IntN(k), low
		if arm == t/50%k {
			p = high
		}
		c.arms, c.p = append(c.arms, int32(arm)), append(c.p, p)
	}
	return c
}
