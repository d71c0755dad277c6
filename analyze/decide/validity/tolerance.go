package validity

import (
	"fmt"
	"math"

	"banditaudit/ingest/precision"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// ToleranceWords say how propensities were compared.
func ToleranceWords(p *schemas.PropensityReplay) string {
	return "; logged propensities against recomputed ones, to " + tolerance(p)
}

// DrawsWords say that those beyond were held against the law of shares of draws.
func DrawsWords(d *schemas.PropensityDraws) string {
	switch {
	case d == nil:
		return ""
	case d.Declared == "":
		return "; those that differ as shares of draws (log.propensity_draws is not declared)"
	}
	return fmt.Sprintf("; where they differ, as shares of draws (log.propensity_draws: %s, log.drawn: %s)", d.Declared, d.Drawn)
}

// toleranceFound says which deviation the comparison would have found.
func toleranceFound(p *schemas.PropensityReplay) string {
	if p == nil {
		return ""
	}
	return "; in any round, a propensity further off than " + tolerance(p) + " would have been found"
}

// equalWords say that recomputed propensities are the logged ones, and within
// which window where they are so only by that.
func equalWords(p *schemas.PropensityReplay) string {
	if !conformance.Windowed(p) {
		return "recomputed propensities equal the logged ones" + toleranceFound(p)
	}
	w := p.Worst
	return fmt.Sprintf("recomputed propensities are within %s of the logged ones; the largest deviation is %.3g (round %s, arm %s: logged %.10g, the policy's %.10g)",
		windowWords(p), math.Abs(w.Logged-w.Replayed), schemas.Grouped(w.Round), schemas.Named(w.Arm), w.Logged, w.Replayed) + toleranceFound(p)
}

// computedWords say that propensities declared as shares of draws are the recomputed
// propensities, where shares of that number of draws are off by more than is allowed.
func (e *Evidence) computedWords(p *schemas.PropensityReplay) string {
	d := e.Protocol.Log.PropensityDraws
	if d == nil || d.Unknown || p.Draws != nil {
		return ""
	}
	said := "log.propensity_draws: " + d.String()
	if d.Column != "" {
		return "; " + said + " is declared, and in no round do they differ from computed ones as shares of draws do: where they were computed, delete the key"
	}
	const apart = 10
	off, room := 1/math.Sqrt(float64(d.Number)), windowMost(p)
	if off < apart*(1e-6+room) {
		return ""
	}
	return fmt.Sprintf("; %s is declared, and in no round do they differ from computed ones as shares of so many draws do, by about %.2g (√(1/N)): where they were computed, delete the key", said, off)
}

// tolerance says what difference a recomputed propensity may have.
func tolerance(p *schemas.PropensityReplay) string {
	out := "1e-6 of the larger and 1e-8"
	if words := windowWords(p); words != "" {
		out += ", and " + words
	}
	return out
}

// windowWords say what is added to the tolerance of either column; "": nothing.
func windowWords(p *schemas.PropensityReplay) string {
	own, all := conformance.Windows(p)
	none := precision.Ends{}
	switch {
	case own == none && all == none:
		return ""
	case own == none:
		return windowOf(all, p.Resolution) + " in log.propensity_by_arm"
	case all == own || all.Alike() && p.DecimalsByArm == nil && p.DigitsByArm == nil:
		return windowOf(own, p.Resolution)
	case !all.Alike() || !own.Alike():
		return windowOf(own, p.Resolution) + ", by arm " + windowOf(all, p.Resolution)
	}
	return windowOf(own, p.Resolution) + fmt.Sprintf(", %g by arm", all.Room)
}

// windowMost is the most that is added to the tolerance of either column.
func windowMost(p *schemas.PropensityReplay) float64 {
	own, all := conformance.Windows(p)
	return max(own.Most(), all.Most())
}

// windowOf says from what a window is.
func windowOf(e precision.Ends, resolution *float64) string {
	out := ""
	switch {
	case resolution != nil && e.Room == *resolution:
		out = fmt.Sprintf("their declared resolution (log.propensity_resolution: %g)", e.Room)
	case e.Room > 0:
		out = fmt.Sprintf("half a unit of their last decimal (%g)", e.Room)
	}
	also := ""
	switch {
	case e.Own > 0:
		also = fmt.Sprintf("half a unit of the last decimal of each, as they were written with several precisions (%g at most)", e.Most())
	case e.Half:
		also = fmt.Sprintf("half a unit in the last place of float16 (%.2g at most)", e.Most())
	case e.Digits > 0:
		also = "half a unit of their " + precision.Ordinal(e.Digits) + " significant digit"
	}
	if out == "" || also == "" {
		return out + also
	}
	return out + ", or " + also + " where that is more"
}
