package answers

import (
	"fmt"
	"math"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// tally counts things of which the same is said.
type tally struct {
	n    int
	says string
}

// counted lists those that there are: "3 passed and 1 failed".
func counted(of ...tally) string {
	var parts []string
	for _, m := range of {
		if m.n > 0 {
			parts = append(parts, page.Group(int64(m.n))+" "+m.says)
		}
	}
	if len(parts) == 0 {
		return "none says anything"
	}
	return page.Listed(parts)
}

// decisions counts what tests decide.
func decisions(rejected, kept, none int) string {
	not := schemas.Agree(kept, "does", "do") + " not"
	if rejected == 0 {
		not = map[bool]string{true: "does not reject its hypothesis", false: "do not reject their hypotheses"}[kept == 1]
	}
	return "of " + schemas.Counted(rejected+kept+none, "declared test") + ", " +
		counted(tally{rejected, schemas.Agree(rejected, "rejects its hypothesis", "reject their hypotheses")}, tally{kept, not},
			tally{none, schemas.Agree(none, "has no answer", "have no answer")})
}

// mostFactor is the largest ε of which e^ε is written out.
const mostFactor = 5

// factor says by how much ε lets a chance change.
func factor(epsilon float64) string {
	if epsilon > mostFactor {
		return "e^ε"
	}
	const hundred = 100
	return fmt.Sprintf("%.2f", math.Ceil(hundred*bitexact.Exp(epsilon))/hundred)
}

// noiseFound says how wide the noise was; "" where nothing is known of that.
func noiseFound(n *schemas.NoiseFit) string {
	switch {
	case n == nil || n.Ratio == nil || n.Epsilon == nil || !n.Scaled():
		return ""
	case n.RatioLo != nil && n.RatioHi != nil:
		return fmt.Sprintf("the noise is %s times as wide as declared (%s to %s), which is that of ε = %s", page.Sig(*n.Ratio), page.Sig(*n.RatioLo), page.Sig(*n.RatioHi), page.Ext(n.Epsilon, page.Sig))
	}
	return fmt.Sprintf("the noise is %s times as wide as declared, which is that of ε = %s", page.Sig(*n.Ratio), page.Ext(n.Epsilon, page.Sig))
}

// NumbersOf writes how many draws an update has at least and at most.
func NumbersOf(d *schemas.PropensityDraws) string {
	if *d.Least == *d.Most {
		return page.Group(*d.Least) + " draws"
	}
	return page.Group(*d.Least) + " to " + page.Group(*d.Most) + " draws"
}
