package world

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// faultf makes the fault of a parameter, under the name of its flag.
func faultf(flag, format string, args ...any) error {
	return fmt.Errorf("world: --"+flag+": "+format, args...)
}

// MaxDim bounds the length of a context.
const MaxDim = 1000

// MaxArms bounds the arms where no protocol declares them: a protocol has at
// most 50,000 words and marks, of which an arm takes two, and two more under a
// policy that has a probability for each.
func MaxArms(perArm bool) int {
	if perArm {
		return 10_000
	}
	return 20_000
}

// checkWorld returns what is wrong with the parameters of the world.
func (s *Spec) checkWorld() []error {
	w := s.world()
	if w.Law == nil {
		return []error{faultf("world", "there is no %s; write one of %s", schemas.Quoted(s.World), strings.Join(s.worlds().Takers(""), ", "))}
	}
	var faults []error
	for _, p := range []struct {
		flag  string
		given bool
	}{
		{"means", s.Means != nil},
		{"means-end", s.MeansEnd != nil},
		{"period", s.Period != 0},
		{"concentration", s.Concentration != 0},
		{"sd", s.SD != 0},
		{"theta", s.Theta != nil},
	} {
		if p.given && !slices.Contains(w.Takes, p.flag) {
			faults = append(faults, faultf(p.flag, "the world %s does not have it; it has --%s: leave it out", w.Name, strings.Join(w.Takes, ", --")))
		}
	}
	if slices.Contains(w.Takes, "means") {
		faults = append(faults, s.checkMeans("means", s.Means)...)
	}
	if w.Check != nil {
		faults = append(faults, w.Check(s)...)
	}
	return append(faults, broken(
		rule{!(s.SD >= 0) || math.IsInf(s.SD, 1), faultf("sd", "%v is no standard deviation; write a finite number above 0", s.SD)},
		rule{!s.concentrated(), faultf("concentration", "%v, must be above 0 and at most 1e9; the variance of an arm is m(1-m)/(concentration+1)", s.Concentration)},
	)...)
}

// checkMeans judges a list of means, or of means at the far end of a drift.
func (s *Spec) checkMeans(flag string, means []float64) []error {
	w := s.world()
	if len(means) == 0 {
		return []error{faultf(flag, "the world %s needs the mean of each arm; write a list such as 0.4,0.6", w.Name)}
	}
	var faults []error
	for i, m := range means {
		switch {
		case math.IsNaN(m) || math.IsInf(m, 0):
			faults = append(faults, faultf(flag, "mean %d is %v; write a finite number", i+1, m))
		case w.Open != "" && !(m > 0 && m < 1):
			faults = append(faults, faultf(flag, "mean %d is %v, must be in (0,1): %s; write a number above 0 and below 1", i+1, m, w.Open))
		case !w.Outside && !(m >= 0 && m <= 1):
			faults = append(faults, faultf(flag, "mean %d is %v, must be in [0,1]; write a probability", i+1, m))
		}
	}
	return faults
}

// sd is the standard deviation of normal noise.
func (s *Spec) sd() float64 { return cmp.Or(s.SD, 0.1) }

// bounds is the declared range of rewards.
func (s *Spec) bounds() interval {
	return interval{s.Protocol.Reward.Range[0], s.Protocol.Reward.Range[1]}
}

// arms is K: of the parameters of the world where they say it, else of the
// protocol.
func (s *Spec) arms() int {
	switch {
	case s.Theta != nil:
		return len(s.Theta)
	case s.Means != nil:
		return len(s.Means)
	}
	return len(s.Protocol.Arms)
}

// law returns the law of the world of a specification without faults.
func (s *Spec) law() Law { return s.world().Law(s) }
