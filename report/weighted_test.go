package report

import (
	"strings"
	"testing"

	"banditaudit/report/answers"
	"banditaudit/report/digest"
	"banditaudit/report/figure"
	"banditaudit/schemas"
)

// TestSteeredArms: of arms that follow a context no mean as played is called the highest,
// in the first answer, the opening of the arms and the figure.
func TestSteeredArms(t *testing.T) {
	weighted := func(arm int, label string, value float64) schemas.Estimate {
		return schemas.Estimate{Estimator: schemas.EstimatorAIPW, Arm: &arm, Label: label, Estimate: &value, CI: &schemas.Interval{value - .1, value + .1}}
	}
	x := &schemas.Experiment{
		Arms: []schemas.Arm{
			{Arm: 0, Label: "red", Pulls: 12, Mean: new(.25), ConfidenceSequence: &schemas.Interval{.2, .3}},
			{Arm: 1, Label: "blue", Pulls: 9, Mean: new(.5), ConfidenceSequence: &schemas.Interval{.4, .6}},
		},
		Steering: &schemas.Steering{Context: "device", Label: "red"},
	}
	p := &digest.Protocol{}
	p.Reward.Range = []float64{0, 1}
	texts := func() string {
		d := digested(&schemas.Results{Experiments: []schemas.Experiment{*x}})
		f := figure.Of(d, p)[0]
		return strings.Join(saidOfArms(d, p), " ") + " | " + answers.Arms(x) + " | " + f.Title + " | " + f.Caption
	}
	const played = "Arms follow the context device: their means as played are over different visitors, and rank no arm."
	none := texts()
	if !strings.Contains(none, played+" There is no weighted mean of every arm, so no arm is called best.") || strings.Contains(none, "highest") || strings.Contains(none, "best first") {
		t.Error(none)
	}
	x.Estimates = []schemas.Estimate{weighted(0, "red", .4), weighted(1, "blue", .3)}
	ranked := texts()
	for _, want := range []string{played + " The highest weighted mean (aipw) is that of red, 0.4", "; the highest weighted mean (aipw) is that of red, 0.4", "Arms by weighted mean, best first"} {
		if !strings.Contains(ranked, want) {
			t.Errorf("no %q in %s", want, ranked)
		}
	}
	if strings.Contains(ranked, "lies above") || strings.Contains(ranked, "of blue") {
		t.Error(ranked)
	}
	x.Tests = []schemas.Test{{ID: "H", Kind: schemas.TestDifference, Arm: 1, Label: "blue", Against: "red", Decision: schemas.DecisionKept, DecidedBy: schemas.MethodAnyTime}}
	d := digested(&schemas.Results{Experiments: []schemas.Experiment{*x}})
	if said := strings.Join(saidOfArms(d, p), " "); !strings.Contains(said, played) {
		t.Error(said)
	}
}

// saidOfArms is what is told of the arms first.
func saidOfArms(d *digest.Digest, p *digest.Protocol) []string {
	for _, a := range answers.Of(d, p) {
		if a.Question == "Arms" {
			return a.Said
		}
	}
	return nil
}
