package shares

import (
	"fmt"
	"math"

	"banditaudit/replay/montecarlo"
	"banditaudit/schemas"
)

// judgeKnown is the verdict where the number of draws is known.
func (e *Estimated) judgeKnown() {
	s := e.said
	n, number, inverse := e.numbered()
	switch {
	case !montecarlo.Fine(n):
		s.Verdict, s.Words = schemas.NotEstablished, "recomputed propensities are not exact to a tenth of 1/√N for N of "+number
	case e.rejected():
		s.Verdict, s.Words = schemas.Violated, "the logged propensities are no shares of "+number+" from the policy's: "+e.tested()+factor(e.said, e.own)+e.mend()
	case e.astray():
		s.Verdict = schemas.NotEstablished
		s.Words = fmt.Sprintf("%s of %s rounds carry propensities that are no multiples of %s, which shares of that many draws are; declare the number of draws that was used (log.propensity_draws: unknown, where nobody knows)",
			schemas.Grouped(s.OffLattice), schemas.Grouped(e.log.Compared.Rounds), inverse) + e.meant
	case e.lattice == n && e.n == 0 && s.Closer:
		s.Verdict = schemas.NotEstablished
		s.Words = fmt.Sprintf("all are multiples of 1/%s, and closer to the recomputed ones than shares of %s draws are: how many draws there were is not known; declare the number (log.propensity_draws)", schemas.Grouped(int64(n)), schemas.Grouped(int64(n)))
	case s.Cells == 0:
		s.Verdict, s.Words = schemas.NotEstablished, "no round has two arms that could be played, or all is the declared floor: no share of draws is in the log"
	default:
		how := ""
		if e.n == 0 && !e.own {
			how = " (a number that nobody declared: all are multiples of its inverse" + e.rounding() + ")"
		}
		s.Verdict = schemas.Consistent
		s.Words = "the logged propensities are those of the policy, estimated by " + number + how + ": " + e.tested() + e.detectable()
		if s.Closer {
			s.Words += "; they are closer to the recomputed ones than shares of so many draws are: the number of draws was larger, or they were computed"
		}
		if s.OffLattice > 0 {
			s.Words += fmt.Sprintf("; %s, the first of them round %s, carry propensities that are no multiples of %s, and are left out: what they show is not looked at",
				schemas.Counted(s.OffLattice, "round"), schemas.Grouped(*s.FirstOff), inverse)
		}
	}
}

// numbered returns the largest number of draws, and how it and its inverse are said
// of all rounds.
func (e *Estimated) numbered() (most float64, number, inverse string) {
	s := e.said
	if !e.own {
		n := schemas.Grouped(int64(e.known()))
		return e.known(), n + " draws", "1/" + n
	}
	many := schemas.Counted(*s.Least, "draw")
	if *s.Least < *s.Most {
		many = schemas.Grouped(*s.Least) + " to " + schemas.Grouped(*s.Most) + " draws, the median is " + schemas.Grouped(*s.Median)
	}
	return float64(*s.Most), fmt.Sprintf("as many draws as column %s says (%s)", schemas.Quoted(e.log.Protocol.Log.PropensityDraws.Column), many), "one over their own number of draws"
}

// reordered is what is never found of shares.
const reordered = "shares that follow contexts or time, as many of each size as draws give, would not have been found"

// detectable says which deviation would have been found.
func (e *Estimated) detectable() string {
	n, of := e.known(), ""
	if e.own {
		n, of = float64(*e.said.Median), " of "+schemas.Counted(*e.said.Median, "draw")
	}
	size := montecarlo.Found(n, e.said.Cells)
	if size >= 0.5 {
		return fmt.Sprintf("; that one share%s was off in one update would not have been found, only what lasts; "+reordered, of)
	}
	return fmt.Sprintf("; one share of about a half that is off by about %.2g in one update%s would have been found in about four of five logs, a lasting deviation that is smaller too; "+reordered, size, of)
}

// factor says how many draws all shares together look like, as a multiple of the number of
// draws, where they deviate more than shares of that number do: E[D] is ν where the number
// is right, and twice ν where it was half.
func factor(s *schemas.PropensityDraws, own bool) string {
	if !own || s.D == nil || !(*s.D > float64(s.Degrees)) {
		return ""
	}
	return fmt.Sprintf("; all together they deviate as shares of %.3g times as many draws would", float64(s.Degrees) / *s.D)
}

// astray reports whether too many rounds are off the lattice to be left out.
func (e *Estimated) astray() bool {
	return float64(e.said.OffLattice) > float64(montecarlo.Astray*float64(e.log.Compared.Rounds))
}

// tested says what the tests of a known number of draws found.
func (e *Estimated) tested() string {
	s, out := e.said, ""
	if e.still {
		out = fmt.Sprintf("shares of draws change when they are drawn anew, and these stand still while the policy's propensities move: %s in %s (%s; below %g convicts); ",
			schemas.Counted(s.Values, "different one"), schemas.Counted(s.Updates, "update"), schemas.PIs(*s.RepeatP), montecarlo.RepeatLevel)
	}
	if s.D != nil {
		p := fmt.Sprintf("p = %.3g by redraws", *s.P)
		switch {
		case s.Redraws == 0:
			p = fmt.Sprintf("p at most %.3g", *s.P)
		case *s.P == 1/float64(s.Redraws+1):
			p = fmt.Sprintf("none of %s redraws reaches it", schemas.Grouped(s.Redraws))
		}
		out = fmt.Sprintf("all together deviate by D = %.6g, about %s is expected (%s, level %g); ", *s.D, schemas.Grouped(s.Degrees), p, montecarlo.TogetherLevel)
	}
	if s.CellP == nil {
		return out + fmt.Sprintf("none of %s shares is unlikely", schemas.Grouped(s.Cells))
	}
	w, under := s.Worst, ""
	if w.Logged < e.floor {
		under = fmt.Sprintf(", less than policy.floor = %.6g", e.floor)
	}
	return out + fmt.Sprintf("the least likely of %s propensities is %.6g of arm %s in round %s%s, which the policy plays with %.6g (binomial %s, times their number %s; below %g convicts)",
		schemas.Grouped(s.Cells), w.Logged, schemas.Named(w.Arm), schemas.Grouped(w.Round), under, w.Replayed, schemas.PIs(*s.CellP), schemas.PIs(min(1, float64(*s.CellP*float64(s.Cells)))), montecarlo.CellLevel)
}

// leaning names the law that they lean to.
func (e *Estimated) leaning() string {
	if e.said.Other == "" {
		return ""
	}
	out := fmt.Sprintf("; they are off in the direction of another law (%s; z = %.3g), which does not say that it is the one they were drawn from", e.said.Other, *e.said.Z)
	if e.settles != "" {
		return out + "; if that is what ran, declare " + e.settles
	}
	return out + "; declare the policy that ran, or log the propensities with which arms were drawn"
}

// mend is the number of draws that was meant, where nothing contradicts that, and
// otherwise what else would explain the shares too.
func (e *Estimated) mend() string {
	if e.sure {
		return e.meant
	}
	return e.leaning() + e.meant
}

// scored says that a score convicts, and how it does.
func scored(s *schemas.PropensityDraws) string {
	return fmt.Sprintf("chance puts shares to either side of the recomputed propensities, and these are off in one direction: against %s other laws that were tried the largest score is z = %.3g (beyond ±%.3g convicts)",
		schemas.Grouped(s.Tried), *s.Z, *s.Critical)
}

// judgeWritten is the verdict where nobody knows the number of draws, and where the
// lattice of the shares may come from their decimals.
func (e *Estimated) judgeWritten() {
	s, fewest := e.said, schemas.Grouped(int64(e.fewest))
	s.Verdict = schemas.NotEstablished
	switch {
	case e.rejected():
		s.Verdict = schemas.Violated
		s.Words = fmt.Sprintf("the logged propensities are no shares of any number of draws from the policy's: as they are written (%s) at least %s were made, and held against as many ", e.decimals(), fewest) + e.tested() + e.leaning()
	case e.leans():
		s.Verdict = schemas.Violated
		s.Words = "the logged propensities are no shares of any number of draws from the policy's: " + scored(e.said) + e.leaning()
	case !e.shares.Whole():
		s.Words = fmt.Sprintf("that of the played arm alone is logged, with %s, so that nothing says of how many draws it is a share (at least %s): declare that number (log.propensity_draws), or log those of all arms (log.propensity_by_arm)", e.decimals(), fewest)
	case s.Low == nil:
		s.Words = "one arm has nearly all of the probability in every update, so that the number of draws cannot be estimated; declare it (log.propensity_draws)"
	case s.Estimate == nil:
		s.Words = fmt.Sprintf("they look like shares of at least about %s draws, written with %s, which hide how many there were; declare the number of draws (log.propensity_draws)", roughly(*s.Low), e.decimals())
	case !montecarlo.Fine(*s.Estimate):
		s.Words = fmt.Sprintf("they look like shares of about %s draws, and recomputed propensities are not exact to a tenth of 1/√N", roughly(*s.Estimate))
	case !e.by.Narrow():
		s.Words = fmt.Sprintf("they look like shares of %s, which is too few, or too little is known of their number, to say more; declare the number of draws (log.propensity_draws)", e.about())
	case e.stands(math.Floor(*s.Low), math.Round(*s.Estimate), math.Ceil(*s.High)):
		s.Words = "they stand still from update to update while the policy's propensities move, as shares of so many draws do not: " + e.about() + " would explain how far they are from these, and it is not known whether they are shares of draws at all; declare the number of draws (log.propensity_draws), or delete the key where there were none"
	default:
		s.Verdict = schemas.Consistent
		s.Words = fmt.Sprintf("the logged propensities fit an estimate of the policy's from %s. How many is not known: all are multiples of 1/%s, %s. None of %s other laws that were tried draws them (z = %.3g, beyond ±%.3g convicts), and ",
			e.about(), schemas.Grouped(int64(e.grid)), e.written(), schemas.Grouped(s.Tried), largestScore(e.said), *s.Critical) +
			fmt.Sprintf("held against %s draws, the fewest that can be written so, ", fewest) + e.tested()
	}
}

// largestScore is 0 where there is none.
func largestScore(s *schemas.PropensityDraws) float64 {
	if s.Z == nil {
		return 0
	}
	return *s.Z
}

// about says between which ends the number of draws is. Where shares are written
// with few decimals, fewer draws than can be written so are not possible: the range
// begins with that number, and no estimate is said of which that is more than half.
func (e *Estimated) about() string {
	s, low := e.said, *e.said.Low
	if e.grid > 0 && e.fewest > *s.Estimate/2 {
		return fmt.Sprintf("at least %s draws", schemas.Grouped(int64(e.fewest)))
	}
	if e.grid > 0 {
		low = max(low, e.fewest)
	}
	return fmt.Sprintf("about %s draws (95 %%: between %s and %s)", roughly(*s.Estimate), roughly(low), roughly(*s.High))
}

// written says why the lattice of the shares does not tell their number of draws.
func (e *Estimated) written() string {
	if unit := 0.5 / e.decimal(); math.Abs(e.grid-unit) < 0.5 {
		return "as whatever is written with " + e.decimals()
	}
	return "and written with " + e.decimals() + ", to which shares of more draws may be rounded too"
}

// roughly writes an estimated number of draws with three digits.
func roughly(n float64) string {
	if n < 1000 || n >= 1e15 {
		return fmt.Sprintf("%.3g", n)
	}
	unit := math.Pow10(int(math.Floor(math.Log10(n))) - 2)
	return schemas.Grouped(int64(float64(math.Round(n/unit) * unit)))
}

// decimals says with how many decimals the shares are written.
func (e *Estimated) decimals() string {
	return schemas.Counted(int64(math.Round(-math.Log10(2*e.decimal()))), "decimal")
}

// judgeUnknown is the verdict where nobody knows the number of draws.
func (e *Estimated) judgeUnknown() {
	s := e.said
	s.Verdict = schemas.NotEstablished
	switch {
	case !e.shares.Whole():
		s.Words = "that of the played arm alone is logged, and without the number of draws nothing is to be said of it; declare that number (log.propensity_draws), or log those of all arms (log.propensity_by_arm)"
	case s.Low == nil:
		s.Words = "one arm has nearly all of the probability in every update, so that the number of draws cannot be estimated; declare it (log.propensity_draws)"
	case e.leans():
		s.Verdict = schemas.Violated
		s.Words = "the logged propensities are no shares of any number of draws from the policy's: " + scored(e.said) + e.leaning()
	case s.Estimate == nil:
		s.Words = fmt.Sprintf("they look like shares of at least about %s draws, and their declared resolution or their decimals hide how many there were; declare the number of draws (log.propensity_draws)", roughly(*s.Low))
	case !montecarlo.Fine(*s.Estimate):
		s.Words = fmt.Sprintf("they look like shares of about %s draws, and recomputed propensities are not exact to a tenth of 1/√N", roughly(*s.Estimate))
	case !e.by.Narrow():
		s.Words = fmt.Sprintf("they look like shares of %s, which is too few, or too little is known of their number, to say more; declare the number of draws (log.propensity_draws)", e.about())
	case e.stands(math.Floor(*s.Low), math.Round(*s.Estimate), math.Ceil(*s.High)):
		s.Words = "they stand still from update to update while the policy's propensities move, as shares of so many draws do not: " + e.about() + " would explain how far they are from these, and it is not known whether they are shares of draws at all; declare the number of draws (log.propensity_draws), or delete the key where there were none"
	default:
		s.Verdict = schemas.Consistent
		s.Words = fmt.Sprintf("the logged propensities fit an estimate of the policy's from %s; none of %s other laws that were tried draws them (z = %.3g, beyond ±%.3g convicts)",
			e.about(), schemas.Grouped(s.Tried), largestScore(e.said), *s.Critical)
	}
}

// judgeAbsent is the verdict where nothing is declared and nothing contradicts
// that the propensities are shares of draws.
func (e *Estimated) judgeAbsent() {
	s := e.said
	if e.leans() || e.astray() || e.grid == 0 && s.Closer && montecarlo.Few(e.shares.Rows()) {
		s.Verdict = schemas.Violated // as it is without draws
		return
	}
	s.Verdict = schemas.NotEstablished
	about := ""
	switch {
	case s.Estimate != nil:
		about = ", and differ as shares of " + e.about() + " do"
	case s.Low != nil:
		about = ", and differ as shares of at least about " + roughly(*s.Low) + " draws do"
	}
	if e.grid > 0 {
		s.Words = fmt.Sprintf("the logged propensities are not the policy's, but all are written with %s%s: they look as if they had been estimated by draws and rounded; if they were, declare log.propensity_draws (the number of draws, or unknown), and they are held against what draws give",
			e.decimals(), about)
		return
	}
	n := schemas.Grouped(int64(e.lattice))
	if s.Closer {
		s.Words = fmt.Sprintf("the logged propensities are not the policy's, but all are multiples of 1/%s%s%s, and closer to the recomputed ones than shares of %s draws are; if they were estimated by draws, declare log.propensity_draws (the number of draws, or unknown), and they are held against what draws give",
			n, e.rounding(), about, n)
		return
	}
	s.Words = fmt.Sprintf("the logged propensities are not the policy's, but all are multiples of 1/%s%s%s: they look as if they had been estimated by %s draws; if they were, declare log.propensity_draws: %d, and they are held against what so many draws give",
		n, e.rounding(), about, n, int64(e.lattice))
}

// judgeGuessed is the verdict where nobody says how many draws there were, and every
// update has a least number of its own.
func (e *Estimated) judgeGuessed() {
	s := e.said
	if e.leans() {
		s.Verdict = schemas.Violated
		s.Words = "the logged propensities are no shares of draws from the policy's, however many there were in each update: " + scored(e.said) + e.leaning()
		return
	}
	if e.computedSo() {
		s.Verdict = schemas.Violated
		return
	}
	s.Verdict = schemas.NotEstablished
	number, also := "those of every update are multiples of one over a whole number of its own", ""
	if e.low.loose {
		number = "those of every update, with " + e.decimals() + ", are what can be written of a number of draws of its own, of at least"
	}
	if !e.shares.Whole() {
		also = "; those of all arms (log.propensity_by_arm) say more than that of the played arm alone"
	}
	if e.low.chance {
		s.Words = fmt.Sprintf("the logged propensities are not the policy's, and they are too few to tell whether they were computed otherwise or estimated by draws: as they are written they can be shares of %s to %s draws, and they deviate by no more than so many draws do; log that number in a column and declare log.propensity_draws: {column: NAME}, or declare log.propensity_draws (the number of draws, or unknown), and they are held against what draws give; if they were computed, log them in full (float64)",
			schemas.Grouped(*s.Least), schemas.Grouped(*s.Most))
		return
	}
	s.Words = fmt.Sprintf("the logged propensities are not the policy's, but %s (%s to %s): they look as if they had been estimated by draws, not by equally many in every update; if they were, log that number in a column and declare log.propensity_draws: {column: NAME}, and they are held against what so many draws give%s",
		number, schemas.Grouped(*s.Least), schemas.Grouped(*s.Most), also)
}

// rounding says that multiples of 1/N are so after rounding only.
func (e *Estimated) rounding() string {
	if h := e.decimal(); h > 0 && e.shares.Tau >= h {
		return ", rounded to " + e.decimals()
	}
	return ""
}
