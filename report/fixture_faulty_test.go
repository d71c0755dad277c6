package report

import (
	"fmt"
	"strings"

	"banditaudit/report/page"
	"banditaudit/schemas"
)

// faulty holds an experiment whose released values have noise of another law
// than the declared one, and one whose logged propensities are not its policy's.
func faulty() *schemas.Results {
	r := homepage()
	r.Protocol = []byte(strings.Replace(homepageProtocol, `"context"`, `"released_by_arm":"seen","propensity_resolution":0.001,"context"`, 1))
	x := &r.Experiments[0]
	x.Replay = schemas.Conformance{Mode: schemas.ModeReleased, Rounds: 20000, Replayable: 20000, Matched: 20000, Released: &schemas.ReleasedReplay{
		Actions: "exact", Replayable: 20000, Matched: 20000, Changed: 3, Redrawn: 2, FirstChanged: &schemas.ReleasedPlace{Round: 77, Arm: "blue", Logged: 31.25, Expected: 30.75},
		Noise: faultyNoise(),
	}}
	x.Tests, x.Regressions, x.Series = nil, nil, nil
	second := r.Experiments[0]
	second.ID, second.Replay = "homepage-footer", faultyPropensities()
	second.Allocation = []schemas.Hypothesis{
		{Name: "clipped-floor", Words: "every probability is raised to a floor, and the others are scaled to make up for it", Value: new(0.0101), Lo: new(0.0088), Hi: new(0.0117), Rows: 20000, P: new(0.412), Fits: true},
		{Name: "stale", Words: "the probabilities are those before the last update", Rows: 20000, P: new(1e-9)},
	}
	r.Experiments = append(r.Experiments, second)
	r.Claims = faultyClaims()
	r.Overall = "EXCEPTIONS NOTED (3)"
	return r
}

// faultyNoise is noise of half the declared scale: all intervals are made up to
// be read, not computed.
func faultyNoise() *schemas.NoiseFit {
	fit := &schemas.NoiseFit{
		Releases: 19995, Recovered: 9640, Level: 0.001, Rejected: true, Ratio: new(0.5032), RatioLo: new(0.4861), RatioHi: new(0.5209),
		Epsilon: schemas.Ext(0.4968), EpsilonLo: schemas.Ext(0.4799), EpsilonHi: schemas.Ext(0.5143), Detectable: new(1.061), OffGrid: 12,
		Spent: schemas.Ext(0.4968), SpentLo: schemas.Ext(0.4799), SpentHi: schemas.Ext(0.5143),
		Hypotheses: []schemas.Hypothesis{
			{Name: "scale", Words: "the noise has another scale than the declared one", Value: new(0.5032), Lo: new(0.4861), Hi: new(0.5209), Rows: 9640, Explained: 9640, P: new(0.37), Fits: true, Settles: new("counter.epsilon")},
			{Name: "shared-noise", Words: "arms share their noise", Rows: 9640},
		},
	}
	for i, name := range []string{"scale", "shape", "sign", "independence", "growth", "arms"} {
		fit.Tests = append(fit.Tests, schemas.NoiseTest{Name: name, Statistic: new(float64(i) + 0.25), P: new(0.1 * float64(i+1)), Level: 0.001 / 6, Detail: "law of " + name})
	}
	fit.Tests[0].P, fit.Tests[0].Rejected = new(0.0), true
	fit.Tests[5].P, fit.Tests[5].Statistic = nil, nil
	for i := range maxNoiseGroups + 1 {
		fit.Groups = append(fit.Groups, schemas.NoiseGroup{Arm: fmt.Sprint("arm ", i), Scale: 88, Draws: int64(i), Ratio: new(0.5), Lo: new(0.4), Hi: new(0.6)})
	}
	fit.Groups[0].Ratio, fit.Groups[0].Lo, fit.Groups[0].Hi = nil, nil, nil
	return fit
}

// faultyPropensities are those of a service that mixes a floor into them.
func faultyPropensities() schemas.Conformance {
	first := &schemas.PropensityMismatch{Round: 6, Arm: "video", Logged: 0.21, Replayed: 0.2}
	p := &schemas.PropensityReplay{
		Rounds: 20000, Matched: 5, Resolution: new(0.001), FirstMismatch: first,
		Worst: &schemas.PropensityMismatch{Round: 19000, Arm: "blue", Logged: 0.01, Replayed: 1e-7},
		Hypotheses: []schemas.Hypothesis{
			{Name: "floor", Words: "a floor of 0.01 is mixed into every probability", Value: new(0.01), Lo: new(0.0099), Hi: new(0.0101), Rows: 4096, Explained: 4096, Declared: new(int64(5)), Largest: new(1e-9), Fits: true, Settles: new("policy.floor: 0.01")},
			{Name: "stale", Words: "the propensities are those of the update before", Rows: 4096, Explained: 5, Declared: new(int64(5)), Largest: new(0.0412)},
		},
	}
	for i := range int64(100) {
		p.Batches = append(p.Batches, schemas.PropensityBatch{First: 200*i + 1, Last: 200 * (i + 1), Rounds: 200, Beyond: min(200, 5*i), Largest: 0.0001 * float64(i)})
	}
	return schemas.Conformance{
		Mode: schemas.ModeReleased, Rounds: 20000, Replayable: 20000, Matched: 19990, LastMismatch: new(int64(19000)), Propensities: p,
		FirstMismatch: &schemas.Mismatch{Round: 4711, Logged: "blue", Replayed: "video"},
		Released: &schemas.ReleasedReplay{
			Actions: "allocation", Replayable: 20000, Matched: 19990, FirstMismatch: &schemas.Mismatch{Round: 4711, Logged: "blue", Replayed: "video"},
			Allocation: &schemas.AllocationTest{Level: 0.001, P: 0.0004, Arm: "blue", Round: new(int64(18000)), Rejected: true},
			Compared:   100000, Differ: 2, FirstDiffer: &schemas.ReleasedValue{Round: 5, Arm: "green", Logged: 2.5},
			Noise: &schemas.NoiseFit{Releases: 3, Recovered: 1, Level: 0.001},
		},
	}
}

func faultyClaims() []schemas.Finding {
	var out []schemas.Finding
	for i, id := range []string{"homepage-cta", "homepage-footer"} {
		for _, c := range homepageClaims() {
			c.Experiment, c.Evidence = id, []string{page.Element("/experiments", i) + "/replay"}
			if i == 1 && c.Kind == schemas.KindConformance {
				c.Verdict, c.Reason = schemas.Violated, "round 4,711: logged blue, the policy plays video"
			}
			if i == 1 && c.Kind == schemas.KindPrivacyTotal {
				c.Verdict, c.Observed, c.Reason = schemas.NotEstablished, "", "the accounting is of what the declared mechanism releases, and it did not write this log (policy.conformance is VIOLATED)"
			}
			out = append(out, c)
		}
		noise := schemas.Finding{
			ID: "privacy.noise", Experiment: id, Kind: schemas.KindPrivacyNoise, Severity: schemas.SeverityRequired, Verdict: schemas.Violated,
			Statement: "The noise in the released values is that of the declared counter.", Reason: "the declared law is rejected by the test of scale",
			Evidence: []string{page.Element("/experiments", i) + "/replay/released"},
		}
		if i == 1 {
			noise.Verdict, noise.Reason = schemas.NotEstablished, "1 draw of noise could be told apart"
		}
		out = append(out, noise)
	}
	return out
}
