package truth

import (
	"slices"

	"banditaudit/cmd/banditlab/mechanisms"
	"banditaudit/schemas"
)

// Honest is a deployment that did what its protocol declares.
type Honest struct {
	Name     string
	Item     int
	Text     string // what other programs write so
	Before   string // how many logs were convicted before, where that is known
	Open     bool   // the item is not built yet, and logs are still convicted
	Protocol string
	Deploy   func(run int64) *Log
}

// HonestLogs is how many logs of each kind are audited, and HonestMost how many of
// them may be VIOLATED by chance, for each claim: at level .001 an honest tool
// has more in one of about a thousand such cells.
const (
	HonestLogs = 2_000
	HonestMost = 7
)

// Again is how many logs a kind has that had more, with other seeds, and
// AgainMost how many of these may be VIOLATED.
const (
	Again     = 10_000
	AgainMost = 22
)

// Kinds are the rows of the second table.
func Kinds() []Honest {
	return slices.Concat(rounded(), significant(), mixed(), incremental(), drawn(), numbers(), twoArms(), batched(), units(), others(), floors(), likelierHonest(), unlogged())
}

// Verdicts counts, for each kind of claim, how many of the logs first … first+n−1
// have which verdict.
func (h *Honest) Verdicts(first int64, n int) (map[string]map[schemas.Verdict]int, error) {
	runs, err := mechanisms.Each(n, func(i int) (map[string]schemas.Verdict, error) {
		found, err := Audit(h.Deploy(first+int64(i)), h.Protocol)
		if err != nil {
			return nil, err
		}
		out := map[string]schemas.Verdict{}
		for j := range found.Head.Claims {
			c := &found.Head.Claims[j]
			if have, ok := out[c.Kind]; !ok || have != schemas.Violated {
				out[c.Kind] = c.Verdict
			}
		}
		return out, nil
	})
	if err != nil {
		return nil, err
	}
	out := map[string]map[schemas.Verdict]int{}
	for _, run := range runs {
		for kind, verdict := range run {
			if out[kind] == nil {
				out[kind] = map[schemas.Verdict]int{}
			}
			out[kind][verdict]++
		}
	}
	return out, nil
}
