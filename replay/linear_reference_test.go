package replay

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"banditaudit/schemas"
)

// spoken is the world of testdata/reference/replay_linear.py: one word for each
// coordinate of a context, and one for each arm, in every round.
type spoken struct {
	theta   [][]float64
	context rand.Source
	pay     []rand.Source
	x       []float64
}

func newSpoken(master [32]byte) *spoken {
	w := &spoken{
		theta:   [][]float64{{0.6, 0.1, 0.1}, {0.1, 0.6, 0.1}, {0.2, 0.2, 0.4}},
		context: Stream(master, PurposeContext, "reference", NoArm),
	}
	for i := range w.theta {
		w.pay = append(w.pay, Stream(master, PurposeReward, "reference", i))
	}
	return w
}

func (*spoken) Dim() int { return 3 }

func (w *spoken) Context(_ int64, dst []float64) {
	for j := range dst {
		dst[j] = float64(w.context.Uint64()>>11) * 0x1p-53
	}
	w.x = dst
}

func (w *spoken) Reward(_ int64, arm int) float64 {
	reward := 0.0
	for i, src := range w.pay {
		u, mean := float64(src.Uint64()>>11)*0x1p-53, 0.0
		for j, v := range w.theta[i] {
			mean += float64(v * w.x[j])
		}
		if i == arm && u < mean {
			reward = 1
		}
	}
	return reward
}

// Private linear bandits: every action, every reward and every released vector
// are those of testdata/reference/replay_linear.py.
func TestLinearBanditsEqualTheReferenceProgram(t *testing.T) { playLinear(t) }

// playLinear returns the protocols that were played.
func playLinear(t *testing.T) (played []*schemas.Protocol) {
	t.Helper()
	linpriv := linPriv(linUCB(), "500", "3", 2000)
	linpriv.Policy.Set("lambda", 0.5)
	linpriv.Policy.Set("theta_bound", 1.5)
	linpriv.Policy.Set("width", schemas.Values{"delta": 0.1})
	lints := linPriv(linTS(), "20", "3", 0)
	lints.Policy.Set("lambda", 0.5)
	lints.Policy.Set("noise_sd", 0.3)
	for _, tt := range []struct {
		file string
		seed int64
		p    *schemas.Protocol
	}{
		{"replay_linpriv.csv", 12, linpriv},
		{"replay_lints.csv", 13, lints},
	} {
		rows := reference(t, tt.file)
		r := build(t, tt.p, 3).NewRunner(Seed(tt.seed), "reference")
		err := r.bandit(newSpoken(Seed(tt.seed)), int64(len(rows)), func(s *Step) error {
			got := []string{strconv.FormatInt(s.Round, 10), strconv.Itoa(s.Arm), strconv.FormatFloat(s.Reward, 'f', -1, 64)}
			for i, want := range rows[s.Round-1][:3] {
				if got[i] != want {
					t.Fatalf("%s, round %d: got %v, want %v", tt.file, s.Round, got, want)
				}
			}
			if text := rows[s.Round-1][3]; text != "" {
				if want, err := strconv.ParseFloat(text, 64); err != nil || math.Abs(s.Propensity-want) > 1e-9 {
					t.Fatalf("%s, round %d: propensity %v, want %v", tt.file, s.Round, s.Propensity, want)
				}
			}
			for j, text := range rows[s.Round-1][4:] {
				if want, err := strconv.ParseFloat(text, 64); err != nil || r.live.Vectors[s.Arm][j] != want {
					t.Fatalf("%s, round %d: released %v, want %v at %d", tt.file, s.Round, r.live.Vectors[s.Arm], want, j)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		played = append(played, tt.p)
	}
	return played
}
