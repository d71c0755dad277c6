package replay

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

// linUCB returns a protocol of OFUL.
func linUCB() *schemas.Protocol {
	return declare(schemas.Policy{Name: "linucb", Own: schemas.Values{"lambda": 1.0, "noise_sd": 0.5, "theta_bound": 1.0}}, &schemas.Counter{Name: "exact"})
}

// linTS returns a protocol of Thompson sampling with linear payoffs.
func linTS() *schemas.Protocol {
	return declare(schemas.Policy{Name: "lints", Own: schemas.Values{"lambda": 1.0, "noise_sd": 0.2}}, &schemas.Counter{Name: "exact"})
}

// linPriv returns p with the vector hybrid counter, for contexts with ‖x‖₁ ≤ l1.
func linPriv(p *schemas.Protocol, epsilon, l1 string, horizon int64) *schemas.Protocol {
	p.Policy.Set("context_l1", schemas.MustRational(l1))
	p.Counter = &schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational(epsilon), Horizon: horizon}
	return p
}

// mix is the finaliser of SplitMix64: 64 bits of a function of z.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// plane is a world in which arm i pays 1 with probability ⟨θ_i,x⟩, x uniform on
// [0,1]^d, and with contexts by arm x of arm i is its own. Everything is a
// function of (seed, t, arm).
type plane struct {
	seed  uint64
	theta [][]float64
	byArm bool
	x     []float64 // of the round, K·d numbers where they are by arm
}

func (w *plane) draw(t int64, n int) float64 {
	return float64(mix(w.seed+uint64(t)*0x9e3779b97f4a7c15+uint64(n)*0xd1342543de82ef95)>>11) * 0x1p-53
}

func (w *plane) Dim() int { return len(w.theta[0]) }

func (w *plane) Context(t int64, dst []float64) {
	for j := range dst {
		dst[j] = w.draw(t, j)
	}
	w.x = dst
}

func (w *plane) Enter(t int64, in *Round) {
	if !w.byArm {
		return
	}
	in.XByArm = make([]float64, len(w.theta)*len(w.theta[0]))
	for j := range in.XByArm {
		in.XByArm[j] = w.draw(t, j)
	}
	in.X, w.x = nil, in.XByArm
}

func (*plane) Known(t int64) int64 { return t }

func (w *plane) mean(arm int) float64 {
	x := w.x
	if w.byArm {
		x = x[arm*len(w.theta[arm]):]
	}
	sum := 0.0
	for j, v := range w.theta[arm] {
		sum += v * x[j]
	}
	return sum
}

func (w *plane) Reward(t int64, arm int) float64 {
	if w.draw(t, -1-arm) < w.mean(arm) {
		return 1
	}
	return 0
}

// five is a plane of five arms and five dimensions in which each arm is good at
// one of them.
func five(seed uint64) *plane {
	w := &plane{seed: seed}
	for i := range 5 {
		theta := []float64{0.05, 0.05, 0.05, 0.05, 0.05}
		theta[i] = 0.7
		w.theta = append(w.theta, theta)
	}
	return w
}

// regret plays a world and returns Σ (best mean − mean of the arm played).
func regret(tb testing.TB, p *schemas.Protocol, w *plane, rounds int64) float64 {
	tb.Helper()
	total := 0.0
	err := build(tb, p, len(w.theta)).Bandit(Seed(1), "e", w, rounds, func(s *Step) error {
		best := 0.0
		for arm := range w.theta {
			best = max(best, w.mean(arm))
		}
		total += best - w.mean(s.Arm)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return total
}

// Every random number here is a function of fixed seeds, so the figures are the
// same on every run; the margins keep the test from being about the last digit.
func TestLinearRegretIsFarBelowUniform(t *testing.T) {
	const rounds = 3000
	for _, byArm := range []bool{false, true} {
		w := five(3)
		w.byArm = byArm
		base := regret(t, uniform(), w, rounds)
		for _, tt := range []struct {
			name string
			p    *schemas.Protocol
			most float64
		}{
			{"linucb × exact", linUCB(), 0.25},
			{"linucb × hybrid, ε = 5000", linPriv(linUCB(), "5000", "5", rounds), 0.5},
			{"lints × exact", linTS(), 0.4},
			{"lints × hybrid, ε = 100", linPriv(linTS(), "100", "5", 0), 0.5},
		} {
			if got := regret(t, tt.p, w, rounds); got > tt.most*base {
				t.Errorf("%s, by arm %v: regret %.0f, uniform %.0f", tt.name, byArm, got, base)
			} else {
				t.Logf("%s, by arm %v: regret %.0f, uniform %.0f", tt.name, byArm, got, base)
			}
		}
	}
}

func TestLinearRunNeedsContextsOfOneLength(t *testing.T) {
	long := make([]float64, maxFeature+1)
	for _, tt := range []struct {
		name   string
		rounds []*Round
		want   string // in the error of the last round; "" for none
	}{
		{"shared", []*Round{{X: []float64{1, 2}}, {X: []float64{3, 4}}}, ""},
		{"by arm", []*Round{{XByArm: []float64{1, 2, 3, 4, 5, 6}}, {XByArm: make([]float64, 6)}}, ""},
		{"nothing is said", []*Round{nil}, errNoContext.Error()},
		{"no context", []*Round{{}}, errNoContext.Error()},
		{"empty by arm", []*Round{{XByArm: []float64{}}}, errNoContext.Error()},
		{"no longer", []*Round{{X: []float64{1, 2}}, {}}, errNoContext.Error()},
		{"another length", []*Round{{X: []float64{1, 2}}, {X: []float64{1}}}, errNoContext.Error()},
		{"no multiple of K", []*Round{{XByArm: []float64{1, 2, 3, 4, 5}}}, errNoContext.Error()},
		{"too long", []*Round{{X: long}}, "at most 1000"},
		{"NaN", []*Round{{X: []float64{1, math.NaN()}}}, errContext.Error()},
		{"infinite", []*Round{{X: []float64{1, 2}}, {X: []float64{math.Inf(-1), 1}}}, errContext.Error()},
	} {
		for _, p := range []*schemas.Protocol{linUCB(), linPriv(linUCB(), "1", "30", 10), linTS()} {
			r := build(t, p, 3).NewRunner(Seed(1), "e")
			for i, in := range tt.rounds {
				if r.Err() != nil {
					t.Fatalf("%s: round %d: %v", tt.name, i, r.Err())
				}
				arm := r.Next(in)
				r.Propensities()
				r.Add(arm, 1)
			}
			switch err := r.Err(); {
			case tt.want == "" && err != nil:
				t.Errorf("%s: %v", tt.name, err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%s: error %v", tt.name, err)
			case tt.want != "" && (r.Next(tt.rounds[0]) != 0 || r.Propensity(0) != 0):
				t.Errorf("%s: the run goes on", tt.name)
			}
		}
	}
}

// InteractQuery ends with the round whose context is missing, also where that
// is the last one.
func TestInteractQueryEndsWithoutContext(t *testing.T) {
	m := build(t, linUCB(), 2)
	tab := &Tab{Rewards: [][]float64{{0, 1}, {1, 0}}, Contexts: [][]float64{{1}, {}}}
	if _, err := m.InteractQuery(Seed(1), "e", tab); !errors.Is(err, errNoContext) {
		t.Errorf("error %v", err)
	}
	if _, err := m.Interact(Seed(1), "e", tab); !errors.Is(err, errNoContext) {
		t.Errorf("error %v", err)
	}
}

// A free run, forced with its own actions, is answered with them; the answers
// are those of the policy alone, not of the floor's or a tie's luck.
func TestLinearRunReplays(t *testing.T) {
	schedules := map[string]func(p *schemas.Protocol){
		"at once":  func(*schemas.Protocol) {},
		"by seven": func(p *schemas.Protocol) { p.Policy.Update = &schemas.Update{Every: 7} },
		"floor":    func(p *schemas.Protocol) { p.Policy.Floor = schemas.Mix(0.05) },
	}
	for schedule, set := range schedules {
		for _, byArm := range []bool{false, true} {
			for _, p := range []*schemas.Protocol{linUCB(), linPriv(linUCB(), "8", "5", 500), linTS(), linPriv(linTS(), "8", "5", 0)} {
				set(p)
				w := five(9)
				w.byArm = byArm
				free, forced := replayed(t, build(t, p, 5), w, 500)
				if diff := cmp.Diff(free, forced); diff != "" {
					t.Errorf("%s × %s, %s, by arm %v:\n%s", p.Policy.Name, p.Counter.Name, schedule, byArm, diff)
				}
			}
		}
	}
}

// replayed returns the actions of a free run, and the answers of a second run
// that was forced to follow them.
func replayed(t *testing.T, m *Mechanism, w *plane, rounds int64) (free, forced []int) {
	t.Helper()
	log := &memory{}
	err := m.Bandit(Seed(4), "e", w, rounds, func(s *Step) error {
		free = append(free, s.Arm)
		log.rewards = append(log.rewards, s.Reward)
		log.public = append(log.public, &Round{X: append([]float64(nil), s.Public.X...), XByArm: s.Public.XByArm})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	log.run = m.NewRunner(Seed(4), "e")
	err = log.run.InteractQuery(log,
		func(round int64, _ int) int { return free[round-1] },
		func(_ int64, answer int) error { forced = append(forced, answer); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return free, forced
}

// memory is a log in memory.
type memory struct {
	public  []*Round
	rewards []float64
	run     *Runner
}

func (m *memory) Rounds() int64 { return int64(len(m.public)) }

func (m *memory) Round(t int64) *Round { return m.public[t-1] }

func (m *memory) Reveal(t int64, arm int) error {
	m.run.Add(arm, m.rewards[t-1])
	return m.run.Err()
}

// The ledger of LinPriv: ε for noise that is scaled for the declared bound of
// ‖x‖₁; √d·ε where it was scaled for 1, as printed, and contexts have ‖x‖₂ ≤ 1,
// so that ‖x‖₁ ≤ √d.
func TestLedgerOfLinPriv(t *testing.T) {
	p := linPriv(linUCB(), "0.3", "2.2360679775", 1000)
	law := build(t, p, 5).Law()
	if law.Name() != "linucb × hybrid" || law.Epsilon().String() != "3/10" {
		t.Errorf("%s has ε = %s", law.Name(), law.Epsilon())
	}
	if r := law.Releases(1)[0]; r.Sensitivity != 2.2360679775 || r.Scale.RatString() != "298142397/20000000" { // 2·2.2360679775/0.3
		t.Errorf("sensitivity %v, scale %s", r.Sensitivity, r.Scale.RatString())
	}
	p.Counter.Sensitivity = schemas.MustRational("1")
	law = build(t, p, 5).Law()
	want := "2683281573/4000000000" // 0.3·2.2360679775
	if law.Epsilon().String() != want || law.Cost(3, 4).String() != want {
		t.Errorf("with unit sensitivity ε = %s and row 3 of 4 costs %s, want %s", law.Epsilon(), law.Cost(3, 4), want)
	}
	if r := law.Releases(1)[0]; r.Scale.RatString() != "20/3" || r.Sensitivity != 2.2360679775 {
		t.Errorf("sensitivity %v, scale %s", r.Sensitivity, r.Scale.RatString())
	}
}

// Unit sensitivity is not that of x·y: with x = (1,1)/√2, of length 1, a reward
// that changes from 0 to 1 moves the sums by √2 in ℓ1 norm. So context_l1 = 1
// refuses that context, and context_l1 = 1.4142136 takes it.
func TestUnitLengthIsNotUnitSensitivity(t *testing.T) {
	x := []float64{math.Sqrt2 / 2, math.Sqrt2 / 2}
	for l1, fits := range map[string]bool{"1": false, "1.41421": false, "1.4142136": true} {
		r := build(t, linPriv(linUCB(), "1", l1, 10), 2).NewRunner(Seed(1), "e")
		r.Next(&Round{X: x})
		r.Add(0, 1)
		if (r.Err() == nil) != fits {
			t.Errorf("context_l1 = %s: %v", l1, r.Err())
		}
	}
	r := build(t, linUCB(), 2).NewRunner(Seed(1), "e")
	r.Next(&Round{X: x})
	r.Add(0, 0)
	before := append([]float64(nil), r.state.Vectors[0]...)
	r.Next(&Round{X: x})
	r.Add(0, 1)
	after := r.state.Vectors[0]
	if moved := math.Abs(after[0]-before[0]) + math.Abs(after[1]-before[1]); math.Abs(moved-math.Sqrt2) > 1e-15 {
		t.Errorf("a reward of 1 instead of 0 moves the vector by %v", moved)
	}
}

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
