package replay

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

func thompson(prior schemas.Prior, counter string) *schemas.Protocol {
	c := &schemas.Counter{Name: "exact"}
	if counter != "exact" {
		c = &schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational("4")}
	}
	return declare(schemas.Policy{Name: "thompson", Prior: &prior}, c)
}

func betaPriorOf(alpha, beta float64) schemas.Prior {
	return schemas.Prior{Alpha: &alpha, Beta: &beta}
}

func normalPriorOf(mean, variance, noise float64) schemas.Prior {
	return schemas.Prior{Mean: &mean, Variance: &variance, Noise: &noise}
}

// Private runs in the world of testdata/reference/replay_thompson.py: every
// action, every reward and every released sum are those of that program.
func TestThompsonEqualsTheReferenceProgram(t *testing.T) {
	rows := reference(t, "replay_thompson.csv")
	for name, prior := range map[string]schemas.Prior{"beta": betaPriorOf(0.5, 0.75), "normal": normalPriorOf(0.5, 1, 0.25)} {
		m := build(t, thompson(prior, "hybrid"), 3)
		env := &streamed{means: []float64{0.45, 0.5, 0.55}}
		for arm := range 3 {
			env.words = append(env.words, Stream(Seed(12), PurposeReward, "reference", arm).Uint64)
		}
		var want, got [][]string
		for _, row := range rows {
			if row[0] == name {
				want = append(want, row[1:])
			}
		}
		r := m.NewRunner(Seed(12), "reference")
		err := r.bandit(env, int64(len(want)), func(s *Step) error {
			released, err := strconv.ParseFloat(want[s.Round-1][3], 64)
			if err != nil || released != r.Released(s.Arm) {
				t.Fatalf("%s, round %d: arm %d released %v, want %v", name, s.Round, s.Arm, r.Released(s.Arm), want[s.Round-1])
			}
			got = append(got, []string{strconv.FormatInt(s.Round, 10), strconv.Itoa(s.Arm), strconv.FormatFloat(s.Reward, 'f', -1, 64), want[s.Round-1][3]})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A free run, forced with its own actions, is answered with them and has the
// same propensities, whatever the schedule, the floor and the eligible arms.
func TestThompsonRunReplays(t *testing.T) {
	const rounds = 300
	for name, set := range map[string]func(p *schemas.Protocol){
		"at once":  func(*schemas.Protocol) {},
		"by seven": func(p *schemas.Protocol) { p.Policy.Update = &schemas.Update{Every: 7} },
		"floor":    func(p *schemas.Protocol) { p.Policy.Floor = new(0.05) },
	} {
		for _, counter := range []string{"exact", "hybrid"} {
			for _, prior := range []schemas.Prior{betaPriorOf(1, 1), normalPriorOf(0.5, 1, 0.25)} {
				p := thompson(prior, counter)
				set(p)
				m := build(t, p, 4)
				world := keyed{seed: 5, means: []float64{0.3, 0.5, 0.5, 0.6}}
				arms, probs := followed(t, m, world, rounds, nil)
				forced, again := followed(t, m, world, rounds, arms)
				if diff := cmp.Diff(arms, forced); diff != "" {
					t.Errorf("%s × %s: %s", name, counter, diff)
				}
				if !slices.EqualFunc(probs, again, slices.Equal) {
					t.Errorf("%s × %s: other propensities", name, counter)
				}
			}
		}
	}
}

// followed runs m on world, with the eligible arms of a fixed seed, and plays
// script, or the answers where there is none. It returns the answers and the
// propensities.
func followed(t *testing.T, m *Mechanism, world keyed, rounds int64, script []int) (arms []int, probs [][]float64) {
	t.Helper()
	src := rand.NewPCG(8, 9)
	r := m.NewRunner(Seed(3), "e")
	in := &Round{Eligible: make([]bool, m.Arms())}
	for round := int64(1); round <= rounds; round++ {
		for i := range in.Eligible {
			in.Eligible[i] = src.Uint64()&3 > 0
		}
		in.Eligible[src.Uint64()%uint64(len(in.Eligible))] = true
		arm := r.Next(in)
		arms = append(arms, arm)
		probs = append(probs, slices.Clone(r.Propensities()))
		if script != nil {
			arm = script[round-1]
		}
		r.Add(arm, world.Reward(round, arm))
		if err := r.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return arms, probs
}
