package conformance

import (
	"fmt"
	"math"

	"banditaudit/replay/draws"
	"banditaudit/schemas"
)

// judgeKnown is the verdict where the number of draws is known.
func (e *estimated) judgeKnown() {
	s, n := e.said, e.known()
	switch {
	case !draws.Fine(n):
		s.Verdict, s.Words = schemas.NotEstablished, fmt.Sprintf("recomputed propensities are not exact to a tenth of 1/√N for N = %s draws", schemas.Grouped(int64(n)))
	case e.rejected():
		s.Verdict, s.Words = schemas.Violated, fmt.Sprintf("the logged propensities are no shares of %s draws from the policy's: ", schemas.Grouped(int64(n)))+e.tested()+e.leaning()
	case e.astray():
		s.Verdict = schemas.NotEstablished
		s.Words = fmt.Sprintf("%s of %s rounds carry propensities that are no multiples of 1/%s, which shares of that many draws are; declare the number of draws that was used (log.propensity_draws: unknown, where nobody knows)",
			schemas.Grouped(s.OffLattice), schemas.Grouped(e.out.Rounds), schemas.Grouped(int64(n)))
	case s.Cells == 0:
		s.Verdict, s.Words = schemas.NotEstablished, "no round has two arms that could be played, or all is the declared floor: no share of draws is in the log"
	default:
		how := ""
		if e.n == 0 {
			how = " (a number that nobody declared: all are multiples of its inverse)"
		}
		s.Verdict = schemas.Consistent
		s.Words = fmt.Sprintf("the logged propensities are those of the policy, estimated by %s draws%s: ", schemas.Grouped(int64(n)), how) + e.tested() +
			fmt.Sprintf("; a deviation of about %.3g (√(1/N)) in one update would have been found, a lasting one that is smaller too", math.Sqrt(1/n))
		if s.Closer {
			s.Words += "; they are closer to the recomputed ones than shares of so many draws are: the number of draws was larger, or they were computed"
		}
		if s.OffLattice > 0 {
			s.Words += fmt.Sprintf("; %s, the first of them round %s, carry propensities that no %s draws give, and are left out: what they show is not looked at",
				roundCount(s.OffLattice), schemas.Grouped(*s.FirstOff), schemas.Grouped(int64(n)))
		}
	}
}

// astray reports whether too many rounds are off the lattice to be left out.
func (e *estimated) astray() bool {
	return float64(e.said.OffLattice) > float64(draws.Astray*float64(e.out.Rounds))
}

// tested says what the tests of a known number of draws found.
func (e *estimated) tested() string {
	s, out := e.said, ""
	if s.D != nil {
		p := fmt.Sprintf("p = %.3g by redraws", *s.P)
		switch {
		case s.Redraws == 0:
			p = fmt.Sprintf("p at most %.3g", *s.P)
		case *s.P == 1/float64(s.Redraws+1):
			p = fmt.Sprintf("none of %s redraws reaches it", schemas.Grouped(s.Redraws))
		}
		out = fmt.Sprintf("all together deviate by D = %.6g, about %s is expected (%s, level %g); ", *s.D, schemas.Grouped(s.Degrees), p, draws.TogetherLevel)
	}
	if s.CellP == nil {
		return out + fmt.Sprintf("none of %s shares is unlikely", schemas.Grouped(s.Cells))
	}
	w := s.Worst
	return out + fmt.Sprintf("the least likely of %s shares is %.6g of arm %s in round %s, which the policy plays with %.6g (binomial p = %.3g; times their number it convicts below %g)",
		schemas.Grouped(s.Cells), w.Logged, schemas.Named(w.Arm), schemas.Grouped(w.Round), w.Replayed, *s.CellP, draws.CellLevel)
}

// leaning names the law that they lean to.
func (e *estimated) leaning() string {
	if e.said.Other == "" {
		return ""
	}
	return "; they lean to another law: " + e.said.Other
}

// judgeUnknown is the verdict where nobody knows the number of draws.
func (e *estimated) judgeUnknown() {
	s := e.said
	s.Verdict = schemas.NotEstablished
	switch {
	case !e.shares.Whole():
		s.Words = "that of the played arm alone is logged, and without the number of draws nothing is to be said of it; declare that number (log.propensity_draws), or log those of all arms (log.propensity_by_arm)"
	case s.Estimate == nil:
		s.Words = "one arm has nearly all of the probability in every update, so that the number of draws cannot be estimated; declare it (log.propensity_draws)"
	case e.leans():
		s.Verdict = schemas.Violated
		s.Words = fmt.Sprintf("the logged propensities are no shares of any number of draws from the policy's: of %s other laws that were tried they lean to or away from one by z = %.3g (beyond ±%.3g convicts)",
			schemas.Grouped(s.Tried), *s.Z, *s.Critical) + e.leaning()
	case !draws.Fine(*s.Estimate):
		s.Words = fmt.Sprintf("they look like shares of about %.3g draws, and recomputed propensities are not exact to a tenth of 1/√N", *s.Estimate)
	case !e.by.Narrow():
		s.Words = fmt.Sprintf("they look like shares of about %.3g draws (95 %%: %.3g to %.3g), which is too few, or too little is known of their number, to say more; declare the number of draws (log.propensity_draws)", *s.Estimate, *s.Low, *s.High)
	default:
		s.Verdict = schemas.Consistent
		s.Words = fmt.Sprintf("the logged propensities fit an estimate of the policy's from about %.4g draws (95 %%: %.4g to %.4g); none of %s other laws that were tried draws them (z = %.3g, beyond ±%.3g convicts)",
			*s.Estimate, *s.Low, *s.High, schemas.Grouped(s.Tried), *s.Z, *s.Critical)
	}
}

// judgeAbsent is the verdict where nothing is declared and nothing contradicts
// that the propensities are shares of draws.
func (e *estimated) judgeAbsent() {
	s := e.said
	if e.leans() || s.Closer || e.astray() {
		s.Verdict = schemas.Violated // as it is without draws
		return
	}
	s.Verdict = schemas.NotEstablished
	n := schemas.Grouped(int64(e.lattice))
	about := ""
	if s.Estimate != nil {
		about = fmt.Sprintf(", and differ as shares of about %.4g draws do (95 %%: %.4g to %.4g)", *s.Estimate, *s.Low, *s.High)
	}
	s.Words = fmt.Sprintf("the logged propensities are not the policy's, but all are multiples of 1/%s%s: they look as if they had been estimated by %s draws; if they were, declare log.propensity_draws: %d, and they are held against what so many draws give",
		n, about, n, int64(e.lattice))
}

// roundCount writes a number of rounds.
func roundCount(n int64) string {
	if n == 1 {
		return "1 round"
	}
	return schemas.Grouped(n) + " rounds"
}
