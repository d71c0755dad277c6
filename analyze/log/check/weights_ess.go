package check

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/schemas"
)

// smallESS is the share of the rows below which the effective sample size is
// noted.
const smallESS = 0.1

// meanTolerance is the relative difference of the mean of 1/p from the number
// of arms beyond which it is noted even where H05 contradicts nothing.
const meanTolerance = 0.1

// rareWeight is how many times larger than the largest weight of a log one is that nothing in
// it lets expect.
const rareWeight = 10

// weightsESS describes the weights 1/p_t: effective sample size (Σw)²/Σw², largest
// weight, mean of 1/p against K, rows with exactly uniform propensity, the
// resolution of the logged numbers, and the lattice of multiples of 1/N on which all
// but 1 % of them lie, with the rows off it. The mean of 1/p
// over T rounds is Σ_a S_a/T, whose expectation is the number of arms that can
// be played: it is noted where H05 contradicts the propensities, and where it is
// more than 10 % off; and so is a weighted mean whose interval has no point within
// the range of the reward. H14 contradicts nothing by itself. The statistic is the
// effective sample size.
//
// Special cases are:
//
//	no propensity is logged: not run
func weightsESS() Check {
	return Check{ID: "H14", Title: "weights, effective sample size, resolution", Doc: "how many rounds do weighted averages really rest on", Run: runWeightsESS, Note: true}
}

func runWeightsESS(f *Inputs, c *schemas.Check) {
	c.Expected = fmt.Sprintf("mean of 1/p near %d if every arm could always be played", len(f.Labels))
	if f.Propensities == nil {
		c.Status, c.Detail = schemas.CheckNotRun, "Declare log.propensity or log.propensity_by_arm to make this possible."
		return
	}
	if k := f.Propensities.Choices; k > 0 && k != float64(len(f.Labels)) {
		c.Expected = fmt.Sprintf("mean of 1/p near %.4g, the arms that could be played on average", k)
		if f.Propensities.OneMore {
			c.Expected = fmt.Sprintf("mean of 1/p near %.4g, the arms whose share is above 0 on average, or above that: 1/share is larger than the inverse of what it estimates", k)
		}
	}
	elsewhere := f.elsewhere()
	if k := f.Propensities.Choices; elsewhere > 0 && !(k > 0 && k != float64(len(f.Labels))) {
		c.Expected = fmt.Sprintf("mean of 1/p near %d, the arms played here, if each of them and no other could always be played", len(f.Labels)-elsewhere)
	}
	if s := f.Propensities.Selected; s != "" {
		c.Expected = "no mean of 1/p: rows may have been dropped by their arm (" + s + ")"
	}
	w := &f.Propensities.Weights
	c.Status, c.Statistic = schemas.CheckPass, schemas.Finite(w.ESS)
	c.Observed = fmt.Sprintf("effective sample size %s of %s, largest weight %s, mean of 1/p %s", figure(w.ESS), rows(w.Rows), figure(w.Largest), figure(w.MeanInverse))
	f.measureWeights(c)
	distinct := schemas.Grouped(int64(w.Distinct)) + " different propensities"
	if w.Distinct == 1 {
		distinct = "1 propensity"
	}
	if w.Capped {
		distinct = "More than " + schemas.Grouped(int64(w.Distinct-1)) + " different propensities"
	}
	c.Detail = fmt.Sprintf("%s, written with %s; %s", distinct, writtenWith(w.Decimals)+onLattice(f), rows(w.Uniform)+" exactly uniform"+places(w.Uniform, w.UniformAt))
	if elsewhere > 0 {
		c.Detail += " over the arms of all experiments"
	}
	c.Detail += "."
	if w.ESS < smallESS*float64(w.Rows) {
		c.Status = schemas.CheckNote
		c.Detail += " The effective sample size is below a tenth of the rows: weighted means rest on few of them."
	}
	if len(f.Beyond) > 0 {
		c.Status = schemas.CheckNote
		c.Detail += " Outside the range of the reward lies all of the interval of " + strings.Join(f.Beyond, "; ") + ": propensities or range are wrong."
	}
	if text := offMean(f); text != "" {
		c.Status = schemas.CheckNote
		c.Detail += " " + text
	}
}

// measureWeights adds the numbers of the weights.
func (f *Inputs) measureWeights(c *schemas.Check) {
	w, expected := &f.Propensities.Weights, expectedMean(f)
	if f.Propensities.Selected != "" {
		expected = math.NaN()
	}
	c.Measure("effective_sample_size", "rows", w.ESS, math.NaN())
	c.Measure("effective_sample_share", "share of rows", w.ESS/float64(w.Rows), math.NaN())
	c.Measure("mean_inverse_propensity", "arms", w.MeanInverse, expected)
	c.Measure("largest_weight", "weight", w.Largest, math.NaN())
	c.Measure("rows_exactly_uniform", "rows", float64(w.Uniform), math.NaN())
}

// expectedMean returns what the mean of 1/p is near where the log was drawn with its
// propensities: the number of arms that could be played, on average.
func expectedMean(f *Inputs) float64 {
	expected := f.Propensities.Choices
	if all := float64(len(f.Labels)); !(expected > 0) || expected == all {
		expected = all - float64(f.elsewhere())
	}
	return expected
}

// FarMean says that the mean of 1/p is off by more than 10 % of what it should be near
// and by more than 3 of its standard errors, √((Σw²/T − (Σw/T)²)/T) with w = 1/p; "" where
// it is not, or no propensity is logged. wrong says what the propensities can be where the
// log was not drawn with them, "" where a replay excludes it. FarMean names each possible
// cause that nothing excludes. The standard error of the sample is far too small where an
// arm of small probability happened not to be played. A mean that is too small is therefore
// far only where more than 9 plays of rareWeight times the largest weight are missing for
// it, of which at least one is seen with probability 1 − e⁻⁹. Of 500 honest logs (Thompson
// sampling with and without a floor, softmax, propensities by a Dirichlet law) none is then
// far; without that 51 were.
func FarMean(f *Inputs, wrong string) string {
	if f.Propensities == nil || f.Propensities.Selected != "" {
		return ""
	}
	w, expected := &f.Propensities.Weights, expectedMean(f)
	n := float64(w.Rows)
	stdErr := w.MeanInverse * math.Sqrt(max(0, n/w.ESS-1)/n)
	far := math.Abs(w.MeanInverse - expected)
	if !(far > meanTolerance*expected) || !(far > 3*stdErr) || w.MeanInverse < expected && !(far*n > 9*rareWeight*w.Largest) {
		return ""
	}
	return fmt.Sprintf("the mean of 1/p is %s where %s is to be expected, which is %s and more than 3 standard errors off: %s (check H14)", figure(w.MeanInverse), figure(expected), percent(100*w.MeanInverse/expected-100), strings.Join(causes(f, wrong, w.MeanInverse < expected), ", or "))
}

// causes are what can have put the mean of 1/p so far below, or above, what it should be
// near: all that nothing excludes.
func causes(f *Inputs, wrong string, below bool) []string {
	var out []string
	if wrong != "" {
		out = append(out, wrong)
	}
	playable := f.Propensities.ByArm != nil && f.Propensities.Choices == float64(len(f.Labels))
	switch {
	case !below:
		return append(out, "few rows carry much weight")
	case !playable:
		out = append(out, "an arm could not be played")
	}
	return append(out, "the propensity of an arm fell so low that it was hardly played, of which the standard error shows nothing")
}

// offMean says what stands against the mean of 1/p, "" where nothing does.
func offMean(f *Inputs) string {
	expected, mean := expectedMean(f), f.Propensities.Weights.MeanInverse
	deviation := float64(100*mean)/expected - 100
	off := math.Abs(deviation) > 100*meanTolerance
	switch {
	case f.Propensities.Selected != "":
	case f.Propensities.Allocation.Rejected:
		return fmt.Sprintf("H05 contradicts the logged propensities; the mean of 1/p is %s from %s.", percent(deviation), figure(expected))
	case off && f.Propensities.OneMore:
		return fmt.Sprintf("The mean of 1/p is %s from %s, more than the 10 %% that are let pass: the shares are of few draws, an arm with a small probability often has a share of 0, or few rows carry much weight.", percent(deviation), figure(expected))
	case off && mean < expected:
		return fmt.Sprintf("The mean of 1/p is %s from %s, more than the 10 %% that are let pass: some arm could not be played in every round, or its propensity fell so low that it hardly was, the propensities are not those of the log, or few rows carry much weight.", percent(deviation), figure(expected))
	case off:
		return fmt.Sprintf("The mean of 1/p is %s from %s, more than the 10 %% that are let pass: the propensities are not those of the log, or few rows carry much weight.", percent(deviation), figure(expected))
	}
	return ""
}

// onLattice names the lattice of the propensities and the rows off it, "" where there
// is none.
func onLattice(f *Inputs) string {
	l := f.Propensities.Lattice
	if l == nil {
		return ""
	}
	inverse, which := "1/"+schemas.Grouped(l.N), "all"
	if l.Off > 0 {
		which = "all but " + rows(l.Off) + places(l.Off, l.At)
	}
	return fmt.Sprintf(", %s multiples of %s, as shares of %s draws are", which, inverse, schemas.Grouped(l.N))
}

// places names rounds, where they are few.
func places(count int64, at []int64) string {
	if count == 0 || count > int64(len(at)) {
		return ""
	}
	text := make([]string, len(at))
	for i, row := range at {
		text[i] = schemas.Grouped(row + 1)
	}
	if len(text) == 1 {
		return " (round " + text[0] + ")"
	}
	return " (rounds " + strings.Join(text, ", ") + ")"
}

// writtenWith says the most decimals that any logged number needs.
func writtenWith(n int) string {
	if n > 12 {
		return "more than 12 decimals"
	}
	return "up to " + schemas.Counted(n, "decimal")
}
