package replay

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

func thompson(prior schemas.Values, counter string) *schemas.Protocol {
	c := &schemas.Counter{Name: "exact"}
	if counter != "exact" {
		c = &schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational("4")}
	}
	return declare(schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": prior}}, c)
}

func betaPriorOf(alpha, beta float64) schemas.Values {
	return schemas.Values{"alpha": alpha, "beta": beta}
}

func normalPriorOf(mean, variance, noise float64) schemas.Values {
	return schemas.Values{"mean": mean, "variance": variance, "noise": noise}
}

// Private runs in the world of testdata/reference/replay_thompson.py: every
// action, every reward and every released sum are those of that program.
func TestThompsonEqualsTheReferenceProgram(t *testing.T) { playThompson(t) }

// playThompson returns the protocols that were played.
func playThompson(t *testing.T) (played []*schemas.Protocol) {
	t.Helper()
	rows := reference(t, "replay_thompson.csv")
	for name, prior := range map[string]schemas.Values{"beta": betaPriorOf(0.5, 0.75), "normal": normalPriorOf(0.5, 1, 0.25)} {
		p := thompson(prior, "hybrid")
		m := build(t, p, 3)
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
		played = append(played, p)
	}
	return played
}
