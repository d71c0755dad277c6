package schemas

import (
	"math"
	"math/big"
)

// Ways to hold actions against released values.
const (
	ActionsExact      = "exact"
	ActionsAllocation = "allocation"
	ActionsSeed       = "seed"
)

// ReleasedReplay holds logged released values against the declared counter:
// what the policy chose given what it saw, and the noise in what it saw.
type ReleasedReplay struct {
	// Actions says how the logged actions were held against the policy given the
	// released values: "exact" for a policy that draws nothing, "allocation" for
	// one that does: a wager on every arm at the recomputed propensities; "seed"
	// for one that does and whose draws are known by a seed, which decides alone.
	Actions string `json:"actions" schema:"words=exact|allocation|seed"`
	// Of Replayable rounds, Matched have the action that the released values give,
	// or, where the policy draws, one that it can draw by them; 0 for "seed".
	Replayable    int64           `json:"replayable"`
	Matched       int64           `json:"matched"`
	FirstMismatch *Mismatch       `json:"first_mismatch"`
	Allocation    *AllocationTest `json:"allocation"` // null but for "allocation"
	// Compared counts pairs of round and arm of which it is known what the declared
	// counter releases, exactly: by its seed, or because it adds no noise. Differ
	// of them are logged with another value. What is known is not said: with the
	// noise of a log that is not that of its seed, it would give rewards away.
	Compared    int64          `json:"compared"`
	Differ      int64          `json:"differ"`
	FirstDiffer *ReleasedValue `json:"first_differ"`
	// Changed counts pairs of round and arm in which the released value is another
	// one than before although nothing was released of the arm: noise is drawn
	// once, and this is a redraw.
	Changed int64 `json:"changed"`
	// Redrawn of them are of arms of which no reward had arrived either since the
	// last release: no other schedule of learning explains these.
	Redrawn      int64          `json:"redrawn"`
	FirstChanged *ReleasedPlace `json:"first_changed"`
	// Rounding is what the released values are off by at most, since they are
	// logged with few decimals or as float32; null where neither can be seen.
	Rounding *float64  `json:"rounding" schema:"range=[0,inf)"`
	Noise    *NoiseFit `json:"noise"` // null where the counter adds none
	// Shared says that the noise is also in another experiment of the log; null
	// where it is not, and in replay.json, which knows one experiment at a time.
	Shared *SharedNoise `json:"shared"`
}

// SharedNoise says that a stream of noise of an experiment begins as one of
// another experiment does, draw for draw.
type SharedNoise struct {
	Arm             string  `json:"arm"`
	Coordinate      int64   `json:"coordinate"` // of a vector; 0 where sums are numbers
	Experiment      string  `json:"experiment"` // the other
	OtherArm        string  `json:"other_arm"`
	OtherCoordinate int64   `json:"other_coordinate"`
	Draws           int64   `json:"draws"`       // that were compared, and are equal
	Experiments     int64   `json:"experiments"` // with the same noise, beside the one
	Level           float64 `json:"level"`       // probability that any two experiments of an honest log agree so
}

// ReleasedValue is one released value of the log.
type ReleasedValue struct {
	Round  int64   `json:"round" schema:"range=[1,inf)"`
	Arm    string  `json:"arm"`
	Logged float64 `json:"logged"` // of a vector, the first coordinate that differs
}

// ReleasedPlace is a released value of the log that ought to be another one.
type ReleasedPlace struct {
	Round    int64   `json:"round" schema:"range=[1,inf)"`
	Arm      string  `json:"arm"`
	Logged   float64 `json:"logged"`
	Expected float64 `json:"expected"`
}

// AllocationTest is the largest wager against the recomputed propensities.
type AllocationTest struct {
	Level    float64 `json:"level" schema:"range=[0,1]"`   // of all arms together: 0.001 in replay.json, in results.json divided by the number of experiments
	P        float64 `json:"p" schema:"range=[0,1]"`       // 1/largest wager, at most 1
	Arm      string  `json:"arm"`                          // that the largest was won on; "" where it was the arm of the unit's round before
	Before   bool    `json:"before"`                       // the largest was won on the arm of the unit's round before
	Later    int64   `json:"later"`                        // later rounds of units in which that arm was wagered on too, as every round is declared to be drawn anew; 0: it was not
	Round    *int64  `json:"round" schema:"range=[1,inf)"` // in which 0.001 was reached; null where the level was not
	Rejected bool    `json:"rejected"`
}

// NoiseFit is the noise recovered from released values against its declared
// law. Ratios are of the scale found to the one declared; their intervals, and
// those of ε, have level 1 − 0.001/6. In replay.json the level of all tests is
// 0.001; in results.json all experiments of a log share it, and Level, the tests
// and what they reject are those of the shared level.
type NoiseFit struct {
	Releases  int64       `json:"releases"`                   // that could be seen
	Recovered int64       `json:"recovered"`                  // draws that could be told apart
	Level     float64     `json:"level" schema:"range=[0,1]"` // of all tests together
	Tests     []NoiseTest `json:"tests"`
	Rejected  bool        `json:"rejected"`
	Ratio     *float64    `json:"ratio" schema:"range=[0,inf)"` // null where nothing was recovered
	RatioLo   *float64    `json:"ratio_lo" schema:"range=[0,inf)"`
	RatioHi   *float64    `json:"ratio_hi" schema:"range=[0,inf)"`
	// Epsilon is the ε of each arm's counter whose noise has the scale found.
	Epsilon   *Extended `json:"epsilon"`
	EpsilonLo *Extended `json:"epsilon_lo"`
	EpsilonHi *Extended `json:"epsilon_hi"`
	// Detectable is the smallest factor of the scale that the test of the scale
	// finds with 80 % power, above 1; null where it finds none, and in results.json
	// where the lattice is coarse beside the noise. About: it is that of a
	// continuous law.
	Detectable *float64     `json:"detectable" schema:"range=[0,inf)"`
	Groups     []NoiseGroup `json:"groups" schema:"count=(-inf,512]"` // by arm and scale; at most 512, those of most draws
	OffGrid    int64        `json:"off_grid"`                         // released values that are no multiple of the declared grid
	// FirstOffGrid is the first of these; null where there is none.
	FirstOffGrid *ReleasedValue `json:"first_off_grid,omitempty"`
	// Lattice is the step of a lattice that is coarser than the declared grid, and on which
	// all released values lie: 2^-10, 1, 1/3. "" where there is none.
	Lattice string `json:"lattice,omitempty"`
	// LatticeTested says that the tests took that lattice for the declared one.
	LatticeTested bool `json:"lattice_tested,omitempty"`
	// Quantiles hold the draws against the declared law, see [SeriesNoise]; null where there
	// are fewer than 100, or rounding blurs them, and of experiments without figures.
	Quantiles  *Series      `json:"quantiles"`
	Hypotheses []Hypothesis `json:"hypotheses"`
	// Spent is the ε that the releases of this log cost the row that paid most,
	// under the hypothesis that fits; null where no other than the declared law
	// does, or none.
	Spent   *Extended `json:"spent"`
	SpentLo *Extended `json:"spent_lo"`
	SpentHi *Extended `json:"spent_hi"`
	// SpentAtLeast says that a row may have paid more: not all were tried, or not
	// all releases.
	SpentAtLeast bool `json:"spent_at_least"`
}

// NoiseTest is one test of recovered noise.
type NoiseTest struct {
	Name      string   `json:"name" schema:"named"` // scale | shape | sign | independence | growth | arms
	Statistic *float64 `json:"statistic"`
	P         *float64 `json:"p" schema:"range=[0,1]"`
	Level     float64  `json:"level" schema:"range=[0,1]"` // its share of NoiseFit.Level
	Rejected  bool     `json:"rejected"`
	Detail    string   `json:"detail"`
	Finds     string   `json:"finds,omitempty"` // the least deviation that this many draws let the test find, or none
}

// NoiseGroup is recovered noise of one arm and one declared scale.
type NoiseGroup struct {
	Arm   string   `json:"arm"`
	Scale float64  `json:"scale" schema:"range=[0,inf)"` // declared, of rewards rescaled to [0,1]
	Draws int64    `json:"draws"`
	Ratio *float64 `json:"ratio" schema:"range=[0,inf)"`
	Lo    *float64 `json:"lo" schema:"range=[0,inf)"`
	Hi    *float64 `json:"hi" schema:"range=[0,inf)"`
}

// Scaled reports whether the noise is the declared one, or is it but for its
// scale: only then is it the noise of any ε, and Epsilon says of which.
func (n *NoiseFit) Scaled() bool {
	if n.Epsilon == nil {
		return false
	}
	h := Fitting(n.Hypotheses)
	return h == nil && !n.Rejected || h != nil && h.Name == HypothesisScale
}

// Mechanism returns ε of each arm's counter with the declared scales, whatever
// it releases: Epsilon·Ratio. Of most counters that is the ε they are declared
// with; the ε of interval sets when it releases, and not what that costs. ok is
// false where nothing was recovered.
func (n *NoiseFit) Mechanism() (epsilon float64, ok bool) {
	if n.Epsilon == nil || n.Ratio == nil {
		return 0, false
	}
	epsilon = float64(*n.Epsilon) * *n.Ratio
	return epsilon, !math.IsNaN(epsilon) && !math.IsInf(epsilon, 0)
}

// mechanismSlack is how far, relative to it, an ε that was rounded may lie from
// the one it is.
const mechanismSlack = 1e-3

// OfMechanism returns Mechanism where it is another ε than the declared counter's,
// which is parsed from text; ok is false where it is the same.
func (n *NoiseFit) OfMechanism(declared string) (epsilon float64, ok bool) {
	epsilon, ok = n.Mechanism()
	if r, parsed := new(big.Rat).SetString(declared); ok && parsed {
		of, _ := r.Float64()
		ok = math.Abs(of-epsilon) > mechanismSlack*epsilon
	}
	return epsilon, ok
}

// NoiseIntervalLevel is the level of the intervals of a ratio of scales and of its ε: they
// invert the test of the scale, one of six at level 0.001 together, at the level that it has in
// one experiment.
const NoiseIntervalLevel = "1 − 0.001/6"
