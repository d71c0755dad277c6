package shares

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

// What rounding explains is named beside draws: where no difference is larger than a
// unit of the last decimal for every arm, or too many draws would have been made.
func TestCoarserThanDraws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		verdict schemas.Verdict
		worst   float64
		low     float64
		want    string // "": nothing is said
	}{
		{"the last of four arms", schemas.NotEstablished, .00021, 500, "log.propensity_resolution: 0.0003 "},
		{"many draws", schemas.NotEstablished, .0021, 200_000, "log.propensity_resolution: 0.003 "},
		{"few draws", schemas.NotEstablished, .0021, 500, ""},
		{"declared, and small", schemas.Consistent, .00021, 500, "log.propensity_resolution: 0.0003"},
		{"declared, and many", schemas.Consistent, .0021, 200_000, ""},
		{"contradicted", schemas.Violated, .00021, 200_000, ""},
		{"more than a resolution may be", schemas.NotEstablished, .2, 200_000, ""},
	} {
		e := &Estimated{log: &Log{Worst: c.worst, Compared: &schemas.PropensityReplay{Decimals: new(int64(4))}}, said: &schemas.PropensityDraws{Verdict: c.verdict, Low: &c.low}, p: make([]float64, 4)}
		if got := e.coarser(); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestAboutDraws: the range of an estimated number of draws begins with the fewest
// that can be written so, and where that is more than half of the estimate it alone
// is said; a lattice that is coarser than the decimals is not said to be theirs.
func TestAboutDraws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		grid, fewest float64
		about        string
	}{
		{0, 0, "about 53 draws (95 %: between 24.2 and 92.8)"},
		{100, 20, "about 53 draws (95 %: between 24.2 and 92.8)"},
		{100, 26, "about 53 draws (95 %: between 26 and 92.8)"},
		{100, 80, "at least 80 draws"},
	} {
		e := &Estimated{grid: c.grid, fewest: c.fewest, said: &schemas.PropensityDraws{Estimate: new(53.0), Low: new(24.2), High: new(92.8)}}
		if got := e.about(); got != c.about {
			t.Errorf("grid %g, fewest %g: %s", c.grid, c.fewest, got)
		}
	}
	for grid, want := range map[float64]string{
		100: "as whatever is written with 2 decimals",
		50:  "and written with 2 decimals, to which shares of more draws may be rounded too",
	} {
		e := &Estimated{log: &Log{Compared: &schemas.PropensityReplay{Decimals: new(int64(2))}}, grid: grid}
		if got := e.written(); got != want {
			t.Errorf("multiples of 1/%g: %s", grid, got)
		}
	}
}
