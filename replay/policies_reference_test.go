package replay

import (
	"math"
	"strconv"
	"testing"

	"banditaudit/schemas"
)

// policiesInPython are the mechanisms of testdata/reference/policies.py.
func policiesInPython() map[string]*schemas.Protocol {
	exactly := &schemas.Counter{Name: "exact"}
	everything := func(p schemas.Policy) *schemas.Protocol {
		p.Floor, p.Update = schemas.Mix(0.03), &schemas.Update{Batch: true}
		return declare(p, exactly)
	}
	greedy := schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": 0.2}}
	tied := greedy
	tied.Ties = "seeded"
	ucb := schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 0.5}}, Ties: "seeded"}
	softmax := schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 0.1}}
	tenth := schemas.Values{"c": 0.1}
	return map[string]*schemas.Protocol{
		"uniform":                  uniform(),
		"uniform partly":           uniform(),
		"fixed":                    declare(schemas.Policy{Name: "fixed", Own: schemas.Values{"probabilities": []float64{0.25, 0.5, 0, 0.25}}}, nil),
		"fixed partly":             declare(schemas.Policy{Name: "fixed", Own: schemas.Values{"probabilities": []float64{0, 1, 0, 0}}}, nil),
		"greedy":                   declare(greedy, exactly),
		"greedy decaying every 5":  declare(schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"decay": 40.0}}, Ties: "seeded", Update: &schemas.Update{Every: 5}}, exactly),
		"greedy everything":        everything(tied),
		"greedy hybrid late":       declare(greedy, &schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational("4")}),
		"ucb ties":                 declare(ucb, exactly),
		"ucb plays":                declare(clocked(schemas.Values{"alpha": 1.0, "clock": "plays"}), exactly),
		"ucb learned every 5":      declare(schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 2.0, "clock": "learned", "offset": 3.0}}, Update: &schemas.Update{Every: 5}}, exactly),
		"ucb horizon":              declare(schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 0.3, "horizon": 250.0}}, Ties: "seeded"}, exactly),
		"elimination learned":      declare(schemas.Policy{Name: "successive-elimination", Own: schemas.Values{"width": schemas.Values{"c": 0.1, "clock": "learned"}}}, exactly),
		"ucb random":               dialect("ucb", schemas.Values{"width": schemas.Values{"c": 2.0, "clock": "plays"}, "start": "random"}, "random"),
		"ucb rows":                 ordered(dialect("ucb", schemas.Values{"width": schemas.Values{"c": 2.0, "clock": "plays", "offset": 4.0}, "start": schemas.Values{"rows": 1.0, "sum": 1.0}}, "first")),
		"ucb none last":            dialect("ucb", schemas.Values{"width": schemas.Values{"c": 0.5, "clock": "plays"}, "start": "none", "unseen": schemas.Values{"mean": 0.25}}, "last"),
		"greedy none shared":       batched(dialect("epsilon-greedy", schemas.Values{"explore": 0.2, "start": "none"}, "shared")),
		"greedy until":             dialect("epsilon-greedy", schemas.Values{"explore": 0.2, "start": schemas.Values{"until": "each-played"}}, "last"),
		"ucb first":                floored(dialect("ucb", schemas.Values{"width": schemas.Values{"c": 2.0}, "start": schemas.Values{"first": 30.0}}, "")),
		"softmax of means":         dialect("softmax", schemas.Values{"temperature": 0.1}, ""),
		"softmax shrunk":           dialect("softmax", schemas.Values{"tau": 0.2, "shrink": 1.0, "start": "random"}, ""),
		"inverse-gap":              scored(schemas.Values{"gamma": 30.0}, ""),
		"inverse-gap costs":        ordered(scored(schemas.Values{"gamma": schemas.Values{"scale": 10.0, "clock": "plays"}, "minimise": true}, "")),
		"inverse-gap rest":         kinded(scored(schemas.Values{"gamma": 400.0}, ""), "rest", 0.05),
		"inverse-gap ties":         scored(schemas.Values{"gamma": schemas.Values{"scale": 5.0, "exponent": 0.3}}, "random"),
		"exp3":                     dialect("exp3", schemas.Values{"gamma": 0.2}, ""),
		"exp3 late":                dialect("exp3", schemas.Values{"gamma": 0.3}, ""),
		"exp3 random every 5":      everyFive(dialect("exp3", schemas.Values{"gamma": 0.1, "start": "random"}, "")),
		"exp3 everything":          everything(schemas.Policy{Name: "exp3", Own: schemas.Values{"gamma": 0.2}}),
		"greedy exponential":       dialect("epsilon-greedy", schemas.Values{"explore": schemas.Values{"exponential": 0.02, "from": 0.9, "clock": "plays"}, "start": "none"}, ""),
		"greedy harmonic":          dialect("epsilon-greedy", schemas.Values{"explore": schemas.Values{"harmonic": 0.1, "from": 1.0, "to": 0.05}}, ""),
		"greedy linear":            dialect("epsilon-greedy", schemas.Values{"epsilon": schemas.Values{"linear": []float64{1, 0.1, 100}}}, ""),
		"ucb everything":           everything(ucb),
		"softmax":                  declare(softmax, exactly),
		"softmax everything":       everything(softmax),
		"softmax clip":             kinded(declare(softmax, exactly), "clip", 0.05),
		"softmax water":            kinded(declare(softmax, exactly), "water", 0.05),
		"softmax rest":             kinded(declare(schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 0.1}, Update: &schemas.Update{Every: 20}}, exactly), "rest", 0.25),
		"softmax water everything": kinded(everything(softmax), "water", 0.03),
		"greedy clip everything":   kinded(everything(tied), "clip", 0.03),
		"ucb rest":                 kinded(declare(clocked(schemas.Values{"c": 0.5}), exactly), "rest", 0.1),
		"thompson sample":          declare(schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": sampledPrior(0.5, 1)}}, exactly),
		"thompson top":             declare(schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": betaPriorOf(1, 1), "top": 2.0}}, exactly),
		"thompson rows":            declare(schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": betaPriorOf(1, 1), "min_rows": 9.0}}, exactly),
		"thompson cap":             declare(schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": betaPriorOf(1, 1), "cap": 12.0}}, exactly),
		"thompson platform":        batched(declare(schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": sampledPrior(0, 4), "top": 2.0, "min_rows": 12.0}, Floor: schemas.Mix(0.01)}, exactly)),
		"elimination floor":        declare(schemas.Policy{Name: "successive-elimination", Own: schemas.Values{"width": tenth}, Floor: schemas.Mix(0.1)}, exactly),
		"elimination everything":   everything(schemas.Policy{Name: "successive-elimination", Own: schemas.Values{"width": tenth}, Ties: "seeded"}),
	}
}

// sampledPrior is a normal prior of which each arm's own sample variance is the noise.
func sampledPrior(mean, variance float64) schemas.Values {
	return schemas.Values{"mean": mean, "variance": variance, "noise": "sample"}
}

// dialect is a policy by exact sums.
func dialect(name string, own schemas.Values, ties string) *schemas.Protocol {
	return declare(schemas.Policy{Name: name, Own: own, Ties: ties}, &schemas.Counter{Name: "exact"})
}

// scored is inverse-gap by scores that no reward decides.
func scored(own schemas.Values, ties string) *schemas.Protocol {
	p := declare(schemas.Policy{Name: "inverse-gap", Own: own, Ties: ties}, nil)
	p.Log.ScoreByArm, p.Log.ScoreBy = "score_by_arm", schemas.SetBySchedule
	return p
}

func ordered(p *schemas.Protocol) *schemas.Protocol {
	p.Policy.Order = []string{"arm 2", "arm 0", "arm 3", "arm 1"}
	return p
}

func batched(p *schemas.Protocol) *schemas.Protocol {
	p.Policy.Update = &schemas.Update{Batch: true}
	return p
}

func everyFive(p *schemas.Protocol) *schemas.Protocol {
	p.Policy.Update = &schemas.Update{Every: 5}
	return p
}

func floored(p *schemas.Protocol) *schemas.Protocol {
	p.Policy.Floor = schemas.Mix(0.03)
	return p
}

// kinded is a policy over a floor that is not mixed in.
func kinded(p *schemas.Protocol, kind string, value float64) *schemas.Protocol {
	p.Policy.Floor = &schemas.Floor{Kind: kind, Value: value}
	return p
}

// clocked is ucb with a width.
func clocked(width schemas.Values) schemas.Policy {
	return schemas.Policy{Name: "ucb", Own: schemas.Values{"width": width}}
}

// Forced along a run of that program every policy answers what it played in
// every round, with its propensity up to the roundings of a few operations.
func TestPoliciesEqualTheReferenceProgram(t *testing.T) { playPolicies(t) }

// playPolicies returns the protocols that were played.
func playPolicies(t *testing.T) (played []*schemas.Protocol) {
	t.Helper()
	logs := map[string][][]string{}
	for _, row := range reference(t, "replay_policies.csv") {
		logs[row[0]] = append(logs[row[0]], row[1:])
	}
	declared := policiesInPython()
	if len(logs) != len(declared) {
		t.Fatalf("%d logs of %d mechanisms", len(logs), len(declared))
	}
	for name, rows := range logs {
		m := build(t, declared[name], 4)
		world, arms, propensities := retell(t, rows)
		r := m.NewRunner(Seed(23), "policies")
		logged := func(round int64, _ int) int { return arms[round-1] }
		err := r.InteractQuery(&late{story: world, enter: world.Enter, run: r}, logged, func(round int64, answer int) error {
			want := propensities[round-1]
			near := 1e-13 * want
			if m.Integral() {
				near = 2e-9 // of each of two quadratures
			}
			if p := r.Propensity(answer); answer != arms[round-1] || math.Abs(p-want) > near {
				t.Fatalf("%s, round %d: arm %d with propensity %v, want %d with %v", name, round, answer, p, arms[round-1], want)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		played = append(played, declared[name])
	}
	return played
}

// retell reads rows of round, eligible arms, batch, the last round without the
// reward, arm, reward and propensity.
func retell(t *testing.T, rows [][]string) (s *story, arms []int, propensities []float64) {
	t.Helper()
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	s = &story{}
	for _, row := range rows {
		eligible, pay := make([]bool, 4), make([]float64, 4)
		for i := range eligible {
			eligible[i] = row[1][i] == '1'
			pay[i] = number(row[5])
		}
		known, err := strconv.ParseInt(row[3], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		s.rewards, s.eligible, s.batches = append(s.rewards, pay), append(s.eligible, eligible), append(s.batches, int32(number(row[2])))
		s.known, arms, propensities = append(s.known, known), append(arms, int(number(row[4]))), append(propensities, number(row[6]))
	}
	return s, arms, propensities
}
