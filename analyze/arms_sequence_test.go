package analyze_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"banditaudit/analyze/stat/confseq"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// betaBinomial asks for that sequence of the arms.
const betaBinomial = "analysis: {means: constant, sequence: beta-binomial}\n"

// The sequence of each arm is that of its own rewards at α/K, on the scale of the
// reward. Where H13 finds that a mean moves, the declaration does not stand, and no arm has
// one.
func TestBetaBinomialArms(t *testing.T) {
	t.Parallel()
	for _, to := range []float64{.3, .7} {
		rows := movingRows(1, 3000, to)
		var n, sum [3]float64
		for i := range rows {
			n[rows[i].Arm]++
			sum[rows[i].Arm] += rows[i].Reward
			rows[i].Reward = 20*rows[i].Reward - 10
		}
		e := one(t, written(t, t.TempDir(), strings.Replace(moving, "[0, 1]", "[-10, 10]", 1)+betaBinomial, movingSpec(), rows))
		for arm, a := range e.Arms {
			if to != .3 {
				if a.ConfidenceSequence != nil {
					t.Errorf("arm a moves, and arm %s has %v", a.Label, a.ConfidenceSequence)
				}
				warned(t, e, "arm a: confidence_sequence is NOT APPLICABLE: the beta-binomial mixture needs one mean in all rounds of the arm (analysis.means: constant), and it moves (check H13: a (p ")
				warned(t, e, "arm b: confidence_sequence is NOT APPLICABLE: means are not constant: the mean of an arm moves (check H13: a (p ")
				continue
			}
			lo, hi := confseq.BetaBinomialSequence(int64(n[arm]), sum[arm]/n[arm], confseq.Sequence{Lo: 0, Hi: 1, K: 3, LogAlpha: math.Log(.05)})
			near(t, "lower end of "+a.Label, a.ConfidenceSequence[0], 20*lo-10)
			near(t, "upper end of "+a.Label, a.ConfidenceSequence[1], 20*hi-10)
		}
	}
}

// Where an arm's rewards may be missing because of their value it has no such sequence;
// where units own several rows no arm has.
func TestBetaBinomialNotApplicable(t *testing.T) {
	t.Parallel()
	missing := func(rows []logfile.Row) {
		for i := range rows {
			if rows[i].Arm == 1 && i%3 == 0 {
				rows[i].Reward = math.NaN()
			}
		}
	}
	units := func(rows []logfile.Row) {
		for i := range rows {
			rows[i].Unit = fmt.Sprint("u", i/2)
		}
	}
	for _, c := range []struct {
		log, lacks, why string
		change          func([]logfile.Row)
	}{
		{"missing_reward: exclude-independent", "", "", missing},
		{"missing_reward: exclude", "b", "whose reward is missing may be missing because of it (missing_reward: exclude)", missing},
		{"unit: unit", "a b c", "A4: a unit (log.unit) owns several rows, and a confidence sequence", units},
	} {
		rows, spec := movingRows(2, 1500, .3), movingSpec()
		spec.MissingReward, spec.Unit = c.log != "unit: unit", c.log == "unit: unit"
		c.change(rows)
		source := strings.Replace(moving, "reward: reward", "reward: reward, "+c.log, 1)
		e := one(t, written(t, t.TempDir(), source+betaBinomial, spec, rows))
		for _, a := range e.Arms {
			if lacks := strings.Contains(c.lacks, a.Label); (a.ConfidenceSequence == nil) != lacks {
				t.Errorf("%s: arm %s has %v", c.log, a.Label, a.ConfidenceSequence)
			}
		}
		if c.why != "" {
			warned(t, e, c.why)
		}
		// Fixed bets have one of every arm, and nothing says that they have not.
		e = one(t, written(t, t.TempDir(), source, spec, rows))
		for _, a := range e.Arms {
			if a.ConfidenceSequence == nil {
				t.Errorf("%s: arm %s has no sequence of bets", c.log, a.Label)
			}
		}
		for _, w := range e.Warnings {
			if strings.Contains(w, "confidence_sequence is "+string(schemas.NotApplicable)) {
				t.Errorf("%s: %s", c.log, w)
			}
		}
	}
}
