package report

import "banditaudit/schemas"

const (
	maxFits         = 40   // coefficient tables in one experiment
	openFits        = 6    // of these are unfolded
	maxCoefficients = 200  // lines of one of these tables
	largeNumber     = 1000 // condition number from which a note is due
)

// regressions adds the fits: one line each, then their coefficients.
func (s *study) regressions(b *builder) {
	at := s.pointer("regressions")
	b.heading(s.level, "Regressions: descriptive, not in the family", at)
	if len(s.x.Regressions) == 0 {
		if len(s.protocol.Analysis.Regressions) == 0 {
			b.say("No regression was asked for.")
		} else {
			b.say("None of the regressions that were asked for could be fitted; the warnings say why.")
		}
		return
	}
	b.say("Least-squares fits. They are not among the declared tests, and nothing here is adjusted for looking at many coefficients. Standard errors, p-values and intervals are " + fixedNote + ".")
	if s.correctedFits() {
		b.say("Beside them stand a bound on the bias of each coefficient, given the logged actions, and p and interval corrected for adaptive choice, " + s.protocol.fitsGiven() + ". These p-values are asymptotic before they are corrected, and the correction makes their error in the tail larger: they are approximate. A declared test of a coefficient is in the family of tests below.")
	}
	if s.withoutErrors() {
		b.note("A fit without standard errors has nothing made of them either: they would take rounds as independent, and a unit of this log has several. covariance: {cluster: unit} gives errors by unit.")
	}
	if s.missing() > 0 {
		b.note("Rounds whose reward is missing are in no fit.")
	}
	b.add(s.fitTable(at))
	if s.anyFit(func(f *schemas.Regression) bool { return f.Arm < 0 }) {
		b.note("In a fit over all arms arm[x] is how arm x differs from the control (" + s.protocol.control() + "), and arm[x]:y how its slope of y does.")
	}
	if s.illConditioned() {
		b.note("A condition number above 1,000 says that columns are nearly linear combinations of each other, or of very different size; single coefficients are then unstable.")
	}
	s.predictions(b, at)
	for i := range s.x.Regressions {
		if i == maxFits {
			b.note("The coefficients of the other " + group(int64(len(s.x.Regressions)-maxFits)) + " fits are in tables/regressions.parquet.")
			return
		}
		f := &s.x.Regressions[i]
		blocks := []block{s.coefficientTable(f, item(at, i))}
		if more := len(f.Coefficients) - maxCoefficients; more > 0 {
			blocks = append(blocks, para{Spans: plainText("The other " + group(int64(more)) + " coefficients are in tables/regressions.parquet."), Class: "note"})
		}
		if len(f.Dropped) > 0 {
			blocks = append(blocks, para{Spans: plainText("Dropped as linear combinations of earlier columns: " + labels(f.Dropped) + "."), Class: "note"})
		}
		b.add(fold{Title: "Coefficients: " + fitName(f), Open: len(s.x.Regressions) <= openFits, Blocks: blocks})
	}
}

func (s *study) anyFit(has func(*schemas.Regression) bool) bool {
	for i := range s.x.Regressions {
		if has(&s.x.Regressions[i]) {
			return true
		}
	}
	return false
}

func (s *study) illConditioned() bool {
	return s.anyFit(func(f *schemas.Regression) bool { return f.ConditionNumber != nil && *f.ConditionNumber > largeNumber })
}

func (s *study) correctedFits() bool {
	return s.anyFit(func(f *schemas.Regression) bool {
		for i := range f.Coefficients {
			if c := &f.Coefficients[i]; c.BiasBound != nil || c.PCorrected != nil {
				return true
			}
		}
		return false
	})
}

// withoutErrors reports whether a unit is declared and a fit with coefficients
// has no standard error.
func (s *study) withoutErrors() bool {
	return s.protocol.Log.Unit != "" && s.anyFit(func(f *schemas.Regression) bool {
		for i := range f.Coefficients {
			if f.Coefficients[i].StdError != nil {
				return false
			}
		}
		return len(f.Coefficients) > 0
	})
}
