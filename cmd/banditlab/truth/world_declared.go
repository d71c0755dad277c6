package truth

import (
	"fmt"
	"math"

	"banditaudit/analyze"
	"banditaudit/analyze/stat/tail"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// rejected reports whether the corrected p of the first test of the first
// experiment is at most 0.05.
func (f *Found) rejected() bool {
	for _, r := range f.First().Tests[0].Results {
		if r.Method == schemas.MethodCorrected {
			return r.Applicable && *r.P <= .05
		}
	}
	return false
}

// pausedByRewards is item 2.
func pausedByRewards() World {
	protocol := func(key string) string {
		return "version: 1\nexperiment: {id: paused, stopping: fixed}\nlog: {order: [round], action: action, reward: won, eligible: may" + key +
			"}\narms: [a0, a1]\nreward: {range: [0, 1]}\npolicy: {name: uniform}\nprivacy: {definition: pure, epsilon: 0}\nanalysis: {chosen: before, tests: [{id: H, arm: a0, mean: 0.5, test: exact}]}\n"
	}
	return World{
		Name: "paused-by-raw-p", Item: 2, Logs: 1_000,
		Text:     "Both arms pay alike. Operations take arm a0 out for good once the raw p of its mean is at most .05, and log that truthfully in eligible. The policy is declared uniform, privacy 0; eligible_by is not declared.",
		Said:     "the corrected test rejects a true null",
		Before:   "46.9 %",
		Unseen:   "whether the key is true: no log shows that eligible_by: schedule is false of this world, and the test then rejects as before; A1 prints the key as declared and not checkable",
		Protocol: protocol(""),
		Also:     []Also{{Said: "where eligible_by: schedule is declared, which is false, the corrected test rejects", Protocol: protocol(", eligible_by: schedule"), Count: (*Found).rejected}},
		Count:    (*Found).rejected,
		Deploy:   pausedLog,
	}
}

// pausedLog plays two arms that pay alike, until a0 is taken out.
func pausedLog(run int64) *Log {
	d := newDeployment(run)
	var may [][]bool
	n, sum := int64(0), int64(0)
	for range 2_000 {
		out := n >= 5 && min(tail.LogBinomialAtLeast(sum, n, .5), tail.LogBinomialAtMost(sum, n, .5)) <= math.Log(.025)
		arm := d.draw.IntN(2)
		if out {
			arm = 1
		}
		y := d.coin(.5)
		if arm == 0 {
			n++
			sum += int64(y)
		}
		d.play(arm, .5, y)
		may = append(may, []bool{!out, true})
	}
	return d.log("a0", "a1").Put("may", may).Put("won", d.won())
}

// totalBesideAnother is item 6.
func totalBesideAnother() World {
	return World{
		Name: "total-beside-another-mechanism", Item: 6, Logs: 200,
		Text:     "Arm a1 is played in 70 % of rounds. The policy is declared uniform, with privacy 0.",
		Said:     "privacy.total is VERIFIED",
		Before:   "in all",
		Unseen:   "another mechanism where policy.conformance does not find it",
		Protocol: "version: 1\nexperiment: {id: another, stopping: fixed}\nlog: {order: [round], action: action, reward: reward}\narms: [a0, a1]\nreward: {range: [0, 1]}\npolicy: {name: uniform}\nprivacy: {definition: pure, epsilon: 0}\n",
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			for range 500 {
				d.play(int(d.coin(.7)), .5, d.coin(.5))
			}
			return d.log("a0", "a1")
		},
		Count: func(f *Found) bool { return f.Verdict(schemas.KindPrivacyTotal) == schemas.Verified },
	}
}

// coins are two arms that pay 1 with probability .4 and .6.
type coins struct{ *deployment }

// Dim returns 0: there are no contexts.
func (coins) Dim() int { return 0 }

// Context does nothing.
func (coins) Context(int64, []float64) {}

// Reward flips the coin of an arm.
func (c coins) Reward(_ int64, a int) float64 { return c.coin(.4 + .2*float64(a)) }

// sharedNoise is item 7. Its noise is the noise of the project's own counter: what is
// looked for is noise that is the same, whatever its law.
func sharedNoise() World {
	protocol := "version: 1\nexperiment: {column: experiment, stopping: fixed}\nlog: {order: [round], action: action, reward: reward, released_by_arm: seen}\narms: [a0, a1]\nreward: {range: [0, 1]}\npolicy: {name: ucb, width: {c: 2}}\ncounter: {name: laplace, epsilon: 1/2}\n"
	return World{
		Name: "noise-of-another-experiment", Item: 7, Logs: 200, Right: true,
		Text:     "Two of four experiments of a log draw their noise from the same seed and id; rewards are those of each. What the policy saw is logged.",
		Said:     "privacy.noise is VIOLATED in these two, and in no other",
		Before:   "0 of 200: privacy.noise was CONSISTENT in all",
		Unseen:   "noise shared with another log, or where released values are rounded, few, or on a coarse lattice",
		Protocol: protocol,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			doc, err := analyze.Standard().Format().ParseProtocol("truth", []byte(protocol))
			if err != nil {
				panic(err) // the text above
			}
			m, err := analyze.Standard().New(&doc.Protocol, doc.Protocol.Arms)
			if err != nil {
				panic(err)
			}
			var experiment []string
			var seen [][]float64
			for e, id := range []string{"0", "twice", "2", "twice"} {
				err := m.Bandit(replay.Seed(run), id, coins{d}, 200, func(s *replay.Step) error {
					d.play(s.Arm, 1, s.Reward)
					experiment, seen = append(experiment, fmt.Sprint("e", e)), append(seen, append([]float64(nil), s.Released...))
					return nil
				})
				if err != nil {
					panic(err)
				}
			}
			return d.log("a0", "a1").Put("experiment", experiment).Put("seen", seen)
		},
		Count: func(f *Found) bool {
			found := map[string]bool{}
			for _, c := range f.Head.Claims {
				if c.Kind == schemas.KindPrivacyNoise && c.Verdict == schemas.Violated {
					found[c.Experiment] = true
				}
			}
			return len(found) == 2 && found["e1"] && found["e3"]
		},
	}
}

// looksStopped is item 8.
func looksStopped() World {
	return World{
		Name: "lengths-that-look-stopped", Item: 8, Logs: 200, Right: true,
		Text:     "Ten experiments of 50 to 600 rounds, each ended once the raw p of an arm is at most .05, under one horizon of 600 and stopping: fixed.",
		Said:     "a note says so",
		Before:   "0 of 200",
		Unseen:   "experiments that were stopped so where more than half have the horizon, where none is declared, or where all have one length",
		Protocol: "version: 1\nexperiment: {column: experiment, stopping: fixed}\nlog: {order: [round], action: action, reward: reward}\narms: [a0, a1]\nreward: {range: [0, 1]}\npolicy: {name: uniform}\ncounter: {name: binary, epsilon: 1, horizon: 600}\n",
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			var experiment []string
			for e := range 10 {
				n, sum := int64(0), int64(0)
				for t := range 600 {
					arm, y := d.draw.IntN(2), d.coin(.6)
					d.play(arm, .5, y)
					experiment = append(experiment, fmt.Sprint("e", e))
					if arm == 0 {
						n++
						sum += int64(y)
					}
					if t >= 49 && min(tail.LogBinomialAtLeast(sum, n, .5), tail.LogBinomialAtMost(sum, n, .5)) <= math.Log(.025) {
						break
					}
				}
			}
			return d.log("a0", "a1").Put("experiment", experiment)
		},
		Count: func(f *Found) bool { return len(f.Head.Notes) > 0 },
	}
}
