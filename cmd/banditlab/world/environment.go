package world

import (
	"math"
	"math/rand/v2"
	"slices"

	"banditaudit/replay"
)

// scene is everything in a round beside its rewards.
type scene struct {
	dim      int     // length of a context
	byArm    bool    // each arm has a context of its own
	l1       float64 // bound of ‖x‖₁; 0: none, contexts are normal
	batch    int64   // rounds of a batch; 0: none
	delay    Delay
	never    float64 // probability that a reward never becomes known
	eligible float64 // probability that an arm may be played; 0: all may
	strata   bool    // every round belongs to one of four strata, each as likely, numbered as they come
	scores   bool    // every arm has a score, uniform on [0, 1), that no reward decides
}

// late reports whether there are rewards that are not known at once.
func (s scene) late() bool { return s.delay != (Delay{}) || s.never > 0 }

// Delay is the law of how many rounds are chosen after its own without knowing
// a round's reward. The zero value is none at all.
type Delay struct {
	Mean  float64 `json:"mean"`
	Fixed bool    `json:"fixed,omitempty"` // every reward is Mean rounds late; else geometric: P(D ≥ n) = (Mean/(1+Mean))ⁿ
}

// of returns the delay for a word of the stream.
func (d Delay) of(word uint64) int64 {
	if d.Fixed || d.Mean == 0 {
		return int64(d.Mean)
	}
	return int64(math.Log(1-uniform(word)) / math.Log(d.Mean/(1+d.Mean)))
}

// plain reports whether there is nothing beside rewards that are known at once
// and one context for all arms.
func (s scene) plain() bool {
	return !s.byArm && !s.scores && !s.strata && s.batch == 0 && s.eligible == 0 && !s.late()
}

// Environment is the world of one experiment, with one context for all arms and
// rewards that are known at once. Rounds are entered in order, beginning with
// 1. It is not safe for concurrent use.
type Environment struct {
	law     Law
	scene   scene
	reward  []rand.Source
	words   []uint64 // this round's word of every arm
	round   int64    // the round that words belong to
	context *rand.Rand
	in      *replay.Round // of this round
}

var _ replay.Environment = (*Environment)(nil)

func newEnvironment(law Law, s scene, master [32]byte, experiment string) *Environment {
	k := law.Arms()
	w := &Environment{
		law: law, scene: s, words: make([]uint64, k), in: &replay.Round{},
		context: rand.New(replay.Stream(master, replay.PurposeContext, experiment, replay.NoArm)),
	}
	for arm := range k {
		w.reward = append(w.reward, replay.Stream(master, replay.PurposeReward, experiment, arm))
	}
	return w
}

// Dim is the length of a context for all arms; 0 where each has its own.
func (w *Environment) Dim() int {
	if w.scene.byArm {
		return 0
	}
	return w.scene.dim
}

// Context writes the coordinates of the round's context into dst, which is read
// until the next round.
func (w *Environment) Context(_ int64, dst []float64) {
	w.in.X = dst
	w.coordinates(dst)
}

func (w *Environment) coordinates(dst []float64) {
	for j := range dst {
		if w.scene.l1 > 0 {
			dst[j] = float64(uniform(w.context.Uint64()) * w.scene.l1 / float64(w.scene.dim))
		} else {
			dst[j] = w.context.NormFloat64()
		}
	}
}

// Reward is what arm pays in round t, before clipping. Within a round any arm
// may be asked any number of times.
func (w *Environment) Reward(t int64, arm int) float64 {
	for w.round < t {
		w.round++
		for a, s := range w.reward {
			w.words[a] = s.Uint64()
		}
	}
	return w.law.Reward(t, arm, w.words[arm], w.in)
}

// Regret is what round t loses by playing arm: the largest mean of an arm that
// may be played, given the contexts, less the mean of arm.
func (w *Environment) Regret(t int64, arm int) float64 {
	best := math.Inf(-1)
	for a := range w.law.Arms() {
		if len(w.in.Eligible) == 0 || w.in.Eligible[a] {
			best = max(best, w.law.Mean(t, a, w.in))
		}
	}
	return best - w.law.Mean(t, arm, w.in)
}

// staged is an Environment with all that a scene can have.
type staged struct {
	*Environment
	mask  rand.Source
	known rand.Source
	x     []float64 // by arm; nil where there is one for all
	can   []bool    // nil where all may be played

	score  rand.Source
	scores []float64 // by arm; nil where there are none

	stratum rand.Source
	drawn   []int // strata, in the order in which they came
}

const fewStrata = 4

var _ replay.Setting = (*staged)(nil)

func newStaged(law Law, s scene, master [32]byte, experiment string) *staged {
	w := &staged{
		Environment: newEnvironment(law, s, master, experiment),
		mask:        replay.Stream(master, replay.PurposeEligible, experiment, replay.NoArm),
		known:       replay.Stream(master, replay.PurposeKnown, experiment, replay.NoArm),
		stratum:     replay.Stream(master, replay.PurposeStratum, experiment, replay.NoArm),
	}
	if s.scores {
		w.score, w.scores = replay.Stream(master, replay.PurposeScore, experiment, replay.NoArm), make([]float64, law.Arms())
	}
	if s.byArm {
		w.x = make([]float64, law.Arms()*s.dim)
	}
	if s.eligible > 0 {
		w.can = make([]bool, law.Arms())
	}
	return w
}

// open returns the world of one experiment as a mechanism plays in it: without
// a stage where there is nothing on it, which is quicker.
func open(law Law, s scene, master [32]byte, experiment string) (*Environment, replay.Environment) {
	if s.plain() {
		w := newEnvironment(law, s, master, experiment)
		return w, w
	}
	w := newStaged(law, s, master, experiment)
	return w.Environment, w
}

// Environment returns the world of one experiment as a mechanism plays in it,
// without a log: what an arm pays in a round is a function of the master seed,
// id, the round and the arm. The specification must have passed Check.
func (s *Spec) Environment(id string) replay.Environment {
	_, stage := open(s.law(), s.scene(), s.Master, id)
	return stage
}

// Enter adds contexts by arm, scores, stratum, eligible arms and the batch of round t.
func (w *staged) Enter(t int64, in *replay.Round) {
	w.in = in
	if w.x != nil {
		w.coordinates(w.x)
		in.XByArm = w.x
	}
	for arm := range w.scores {
		w.scores[arm] = uniform(w.score.Uint64())
	}
	in.Scores = w.scores
	if w.scene.strata {
		which := int(fewStrata * uniform(w.stratum.Uint64()))
		if !slices.Contains(w.drawn, which) {
			w.drawn = append(w.drawn, which)
		}
		in.Stratum = int64(slices.Index(w.drawn, which))
	}
	if w.can != nil {
		w.draw()
		in.Eligible = w.can
	}
	if w.scene.batch > 0 {
		in.Batch = int32((t - 1) / w.scene.batch) //nolint:gosec // Spec.Check bounds it
	}
}

// draw says which arms may be played: those whose word is below the
// probability, or the arm with the least word where there is none.
func (w *staged) draw() {
	least, first, some := uint64(math.MaxUint64), 0, false
	for arm := range w.can {
		word := w.mask.Uint64()
		w.can[arm] = uniform(word) < w.scene.eligible
		some = some || w.can[arm]
		if word < least {
			least, first = word, arm
		}
	}
	if !some {
		w.can[first] = true
	}
}

// Known returns the last round that is chosen without knowing the reward of
// round t.
func (w *staged) Known(t int64) int64 {
	if !w.scene.late() {
		return t
	}
	never, delay := w.known.Uint64(), w.known.Uint64()
	if uniform(never) < w.scene.never {
		return replay.NeverKnown
	}
	return t + w.scene.delay.of(delay)
}
