package analyze

import (
	"fmt"

	"banditaudit/analyze/hypothesis"
	"banditaudit/schemas"
)

// rare is the number of successes, and of failures, below which a mean of 0 and
// 1 is too skewed for a test that takes it as normal.
const rare = 15

// successes are the rewards of 1 among the known ones of an arm.
func (s *sample) successes(arm int) hypothesis.Successes {
	return hypothesis.Successes{X: s.sums.ones[arm], N: s.sums.scalar[arm].N}
}

// leaning is a raw test that takes means of independent rewards as normal. Of 0
// and 1 it says where they are not.
func (s *sample) leaning(r hypothesis.Result, arms ...int) rawTest {
	out := existing(r)
	if out.against.stands() || !s.binary() {
		return out
	}
	for _, arm := range arms {
		ones := s.successes(arm)
		if fewest := min(ones.X, ones.N-ones.X); fewest < rare {
			out.Warnings = append(out.Warnings, fmt.Sprintf("the rewards of arm %s are 0 and 1, and %s of one of them is below %d, so that the mean is far from normal and the p-value can be much too small; write test: exact",
				s.name(arm), schemas.Grouped(fewest), rare))
		}
	}
	return out
}
