package world

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Names of worlds.
const (
	Bernoulli = "bernoulli"
	Beta      = "beta"
	Gaussian  = "gaussian"
	Linear    = "linear"
	Drift     = "drift"
)

// Names lists the worlds.
func Names() []string { return []string{Bernoulli, Beta, Gaussian, Linear, Drift} }

// Defaults of parameters that are left out.
const (
	defaultConcentration = 10
	defaultSD            = 0.1
)

// parametersOf lists what a world takes of its own.
func parametersOf(world string) []string {
	switch world {
	case Bernoulli:
		return []string{"means"}
	case Beta:
		return []string{"means", "concentration"}
	case Gaussian:
		return []string{"means", "sd"}
	case Linear:
		return []string{"theta", "sd"}
	case Drift:
		return []string{"means", "means-end", "period"}
	}
	return nil
}

// world is the name of the world; Bernoulli where there is none.
func (s *Spec) world() string {
	if s.World == "" {
		return Bernoulli
	}
	return s.World
}

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
	own := parametersOf(s.world())
	if own == nil {
		return []error{faultf("world", "there is no %q; write one of %s", s.World, strings.Join(Names(), ", "))}
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
		if p.given && !slices.Contains(own, p.flag) {
			faults = append(faults, faultf(p.flag, "the world %s does not have it; it has --%s: leave it out", s.world(), strings.Join(own, ", --")))
		}
	}
	if s.world() == Linear {
		faults = append(faults, s.checkTheta()...)
	} else {
		faults = append(faults, s.checkMeans("means", s.Means)...)
	}
	if s.world() == Drift {
		faults = append(faults, s.checkDrift()...)
	}
	if v := s.SD; !(v >= 0) || math.IsInf(v, 1) {
		faults = append(faults, faultf("sd", "%v is no standard deviation; write a finite number above 0", v))
	}
	return append(faults, s.checkConcentration()...)
}

// checkMeans judges a list of means, or of means at the far end of a drift.
func (s *Spec) checkMeans(flag string, means []float64) []error {
	if len(means) == 0 {
		return []error{faultf(flag, "the world %s needs the mean of each arm; write a list such as 0.4,0.6", s.world())}
	}
	var faults []error
	for i, m := range means {
		switch {
		case math.IsNaN(m) || math.IsInf(m, 0):
			faults = append(faults, faultf(flag, "mean %d is %v; write a finite number", i+1, m))
		case s.world() == Beta && !(m > 0 && m < 1):
			faults = append(faults, faultf(flag, "mean %d is %v, must be in (0,1): a Beta law has no other; write a number above 0 and below 1", i+1, m))
		case s.world() != Gaussian && !(m >= 0 && m <= 1):
			faults = append(faults, faultf(flag, "mean %d is %v, must be in [0,1]; write a probability", i+1, m))
		}
	}
	return faults
}

func (s *Spec) checkDrift() []error {
	faults := s.checkMeans("means-end", s.MeansEnd)
	if len(s.MeansEnd) > 0 && len(s.Means) > 0 && len(s.MeansEnd) != len(s.Means) {
		faults = append(faults, faultf("means-end", "has %d means, and --means %d; write one for each arm", len(s.MeansEnd), len(s.Means)))
	}
	if s.Period < 0 || s.Period == 1 || s.Period > maxRounds {
		faults = append(faults, faultf("period", "is %d, must be from 2 to 2^40; it counts the rounds from --means to --means-end and back", s.Period))
	}
	return faults
}

// minShape bounds the parameters of a Beta law from below: where they are
// smaller nearly all of it is 0 and 1.
const minShape = 1e-3

func (s *Spec) checkConcentration() []error {
	if !(s.Concentration >= 0) || s.Concentration > 1e9 {
		return []error{faultf("concentration", "%v, must be above 0 and at most 1e9; the variance of an arm is m(1-m)/(concentration+1)", s.Concentration)}
	}
	for i, m := range s.Means {
		if c := s.concentration(); s.world() == Beta && m > 0 && m < 1 && min(m, 1-m)*c < minShape {
			return []error{faultf("concentration", "%v times mean %d, or times 1 less that mean, is below %g; write a larger one, or --world bernoulli", c, i+1, minShape)}
		}
	}
	return nil
}

func (s *Spec) checkTheta() []error {
	if s.Theta == nil {
		return nil // drawn from the seed
	}
	var faults []error
	for i, row := range s.Theta {
		if len(row) != s.dim() {
			faults = append(faults, faultf("theta", "arm %d has %d numbers, and contexts have %d; write one for each coordinate, and --context-dim %d", i+1, len(row), s.dim(), len(row)))
		}
		for _, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				faults = append(faults, faultf("theta", "arm %d has %v; write finite numbers", i+1, v))
			}
		}
	}
	return faults
}

func (s *Spec) concentration() float64 {
	if s.Concentration > 0 {
		return s.Concentration
	}
	return defaultConcentration
}

func (s *Spec) sd() float64 {
	if s.SD > 0 {
		return s.SD
	}
	return defaultSD
}

// period is that of a drift: where none is given, the means reach the far end in
// the last round.
func (s *Spec) period() int64 {
	if s.Period > 0 {
		return s.Period
	}
	return max(2, 2*(s.Rounds-1))
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
func (s *Spec) law() Law {
	r := interval{s.Protocol.Reward.Range[0], s.Protocol.Reward.Range[1]}
	switch s.world() {
	case Beta:
		return beta{s.Means, s.concentration()}
	case Gaussian:
		return newGaussian(s.Means, s.sd(), r)
	case Linear:
		return linear{s.theta(), s.sd(), r}
	case Drift:
		return drift{s.Means, s.MeansEnd, s.period()}
	default:
		return bernoulli{s.Means}
	}
}

func (s *Spec) theta() [][]float64 {
	if s.Theta != nil {
		return s.Theta
	}
	return drawTheta(s.arms(), s.dim(), s.l1(), s.Master)
}
