package dialects

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"banditaudit/cmd/banditlab/mechanisms"
	"banditaudit/cmd/banditlab/truth"
	"banditaudit/schemas"
)

// What rewards a log has.
const (
	coins  = iota // 0 and 1
	either        // in every second log real, in one of three ranges
	only          // real
)

// Evidence is what a log holds beside actions and rewards.
type Evidence string

// The kinds of it.
const (
	Actions Evidence = "actions"           // neither seed nor propensities
	Played  Evidence = "p of the played"   // the propensity of the action
	All     Evidence = "p of all"          // those of all arms
	Shares  Evidence = "shares of draws"   // the same, estimated by draws
	Share   Evidence = "share of the play" // that of the action
)

// roles are the columns of it.
func (e Evidence) roles() string {
	switch e {
	case Actions:
		return ""
	case Played, Share:
		return ", propensity: p"
	default:
		return ", propensity: p, propensity_by_arm: all"
	}
}

// dialect is a policy as somebody runs it.
type dialect struct {
	name   string
	policy string // as it is declared, <K> the number of arms and <T> that of rounds
	log    string // columns beside, as they are declared
	begin  func(w *world) player

	reals   int
	every   int  // rounds between updates; 0: 1
	late    int  // updates come so many rounds after those that are declared (see wrongs)
	batches bool // they are in a column
	delay   int  // a reward becomes known up to so many rounds later, in a column
	dim     int  // of contexts

	hash, visits int // version of the hash by which units are assigned, and rounds of each: a unit keeps its arm
}

// Setting is a dialect with what its log holds.
type Setting struct {
	dialect

	Evidence Evidence
}

// Logs is how many logs of each setting are audited.
const Logs = 20

// Most is how many of n logs may be VIOLATED by chance, for each claim: where each
// is with probability .001, more are with probability .0011 at most. Of 2,000 it is 7.
func Most(logs int) int {
	mean := float64(logs) / 1000
	term, left, n := math.Exp(-mean), 1-math.Exp(-mean), 0
	for left > .0011 {
		n++
		term *= mean / float64(n)
		left -= term
	}
	return n
}

// Settings are the rows of the first table: each dialect with each kind of its evidence.
// Those of policy.by, of updates by version and by time, of inverse-gap and of sampled logs
// go here.
func Settings() []Setting {
	return slices.Concat(indices(), greedies(), softmaxes(), thompsons(), floors(), estimates(), exp3s(), linears(), delays(), fixeds(), hashed())
}

// with are settings of a dialect.
func (d dialect) with(kinds ...Evidence) []Setting {
	var out []Setting
	for _, e := range kinds {
		out = append(out, Setting{d, e})
	}
	return out
}

// Name tells settings apart.
func (s *Setting) Name() string { return s.name + " | " + string(s.Evidence) }

// most is the largest number of arms.
func (s *Setting) most() int {
	if s.slow() || s.dim > 0 {
		return 5
	}
	return 10
}

// slow reports whether the propensities that are logged are integrals.
func (s *Setting) slow() bool {
	return s.Evidence != Actions && (strings.Contains(s.policy, "thompson") || strings.Contains(s.policy, "lints"))
}

// protocol is what is declared of a log.
func (s *Setting) protocol(w *world) string {
	roles := s.Evidence.roles() + s.log
	if s.dim > 0 {
		roles += ", context: [" + strings.Join(contexts(s.dim), ", ") + "]"
	}
	if s.visits > 0 {
		roles += ", unit: user"
	}
	if s.batches {
		roles += ", batch: version"
	}
	if s.delay > 0 {
		roles += ", reward_order: known"
	}
	policy := strings.NewReplacer("<K>", strconv.Itoa(w.k), "<T>", strconv.Itoa(w.rounds),
		"<odds>", strings.ReplaceAll(fmt.Sprint(odds(w.k)), " ", ", "), "<backwards>", "["+strings.Join(backwardsLabels(w.k), ", ")+"]").Replace(s.policy)
	text := fmt.Sprintf("version: 1\nexperiment: {id: dialects, stopping: fixed}\nlog: {order: [round], action: action, reward: reward%s}\narms: [%s]\nreward: {range: [%g, %g]}\npolicy: {%s}\n",
		roles, strings.Join(labels(w.k), ", "), w.lo, w.hi, policy)
	if !strings.Contains(policy, "name: fixed") && !strings.Contains(policy, "name: uniform") {
		text += "counter: {name: exact}\n"
	}
	return text
}

func contexts(dim int) []string {
	out := make([]string, dim)
	for j := range out {
		out[j] = "x" + strconv.Itoa(j)
	}
	return out
}

// log is what a run keeps.
type log struct {
	round, user, version []int64
	action               []string
	reward, p            []float64
	known                []int64
	all, x               [][]float64 // x by coordinate
	kept                 map[[2]int64]int
}

// play writes a log.
func (s *Setting) play(w *world) *truth.Log {
	l, p, names := &log{x: make([][]float64, s.dim), kept: map[[2]int64]int{}}, s.begin(w), labels(w.k)
	var wait []earned
	for t := 1; t <= w.rounds; t++ {
		w.next()
		if (t-1-s.late)%max(1, s.every) == 0 {
			wait = learned(p, wait, t-b2i(s.every == 0)*s.late)
		}
		arm := s.assign(l, w, p)
		y, e := w.pay(arm), earned{arm: arm, x: slices.Clone(w.x), known: t}
		if s.delay > 0 {
			e.known += w.draw.IntN(s.delay + 1)
		}
		if r, ok := p.(ruled); ok {
			e.p = r.rule()[arm]
		}
		e.y = w.unit(y)
		wait = append(wait, e)
		l.action, l.reward, l.known = append(l.action, names[arm]), append(l.reward, y), append(l.known, int64(e.known))
		for j := range l.x {
			l.x[j] = append(l.x[j], w.x[j])
		}
	}
	return s.written(l)
}

// learned hands over what is known before round t, in the order in which it became
// known, and returns the rest.
func learned(p player, wait []earned, t int) []earned {
	slices.SortStableFunc(wait, func(a, b earned) int { return cmp.Compare(a.known, b.known) })
	for len(wait) > 0 && wait[0].known < t {
		p.learn(wait[0])
		wait = wait[1:]
	}
	return wait
}

// assign plays a round, and notes by what.
func (s *Setting) assign(l *log, w *world, p player) int {
	t, version, odds := len(l.round)+1, int64(0), []float64(nil)
	if s.every > 0 {
		version = int64((t - 1) / s.every)
	}
	if s.Evidence != Actions || s.hash > 0 {
		odds = p.chances(t)
	}
	arm := -1
	if s.visits > 0 {
		arm = s.keep(l, w, version, odds)
	}
	if arm < 0 {
		arm = p.choose(t, w.draw)
	}
	if s.visits > 0 {
		l.kept[[2]int64{version, l.user[t-1]}] = arm
	}
	if s.Evidence != Actions {
		l.p, l.all = append(l.p, odds[arm]), append(l.all, odds)
	}
	l.round, l.version = append(l.round, int64(t)), append(l.version, version)
	return arm
}

// keep draws whose round it is, and returns the arm that this unit has; −1 where it has
// none.
func (s *Setting) keep(l *log, w *world, version int64, odds []float64) int {
	unit := w.draw.Int64N(int64(max(1, w.rounds/s.visits)))
	if s.visits == 1 {
		unit = int64(len(l.user))
	}
	l.user = append(l.user, unit)
	if s.hash > 0 {
		return within(position(s.hash, "dialects", strconv.FormatInt(unit, 10)), odds)
	}
	if arm, ok := l.kept[[2]int64{version, unit}]; ok {
		return arm
	}
	return -1
}

// written are the columns of a log.
func (s *Setting) written(l *log) *truth.Log {
	out := (&truth.Log{}).Put("round", l.round).Put("action", l.action).Put("reward", l.reward)
	if s.Evidence != Actions {
		out.Put("p", l.p)
	}
	if strings.Contains(s.Evidence.roles(), "by_arm") {
		out.Put("all", l.all)
	}
	for j, name := range contexts(s.dim) {
		out.Put(name, l.x[j])
	}
	if s.visits > 0 {
		out.Put("user", l.user)
	}
	if s.batches {
		out.Put("version", l.version)
	}
	if s.delay > 0 {
		out.Put("known", l.known)
	}
	return out
}

// Counts are verdicts by kind of claim.
type Counts map[string]map[schemas.Verdict]int

// Add adds the counts of others.
func (c Counts) Add(more Counts) {
	for kind, of := range more {
		if c[kind] == nil {
			c[kind] = map[schemas.Verdict]int{}
		}
		for v, n := range of {
			c[kind][v] += n
		}
	}
}

// Violated are the logs of which a kind of claim is VIOLATED, with the reasons.
type Violated struct {
	Log    int
	Kind   string
	Reason string
}

// Told audits log n of the setting, from 1, by what it is told of it.
func (s *Setting) Told(n int, e Evidence) (*truth.Found, error) {
	w, told := s.open(n), *s
	log := s.play(w)
	told.Evidence = e
	found, err := truth.Audit(log, told.protocol(w))
	if err != nil {
		return nil, fmt.Errorf("%s, log %d: %w", s.Name(), n, err)
	}
	return found, nil
}

// Count audits the logs 1, …, n of the setting.
func (s *Setting) Count(n int) (Counts, []Violated, error) {
	found, err := mechanisms.Each(n, func(i int) (*truth.Found, error) { return s.Told(i+1, s.Evidence) })
	if err != nil {
		return nil, nil, err
	}
	out, bad := Counts{}, []Violated(nil)
	for i, f := range found {
		for j := range f.Head.Claims {
			c := &f.Head.Claims[j]
			out.Add(Counts{c.Kind: {c.Verdict: 1}})
			if c.Verdict == schemas.Violated {
				bad = append(bad, Violated{i + 1, c.Kind, c.Reason})
			}
		}
	}
	return out, bad, nil
}

// kinds are the claims of which something can be said.
func (c Counts) kinds() []string {
	out := slices.Sorted(maps.Keys(c))
	return slices.DeleteFunc(out, func(kind string) bool {
		n := 0
		for _, of := range c[kind] {
			n += of
		}
		return c[kind][schemas.NotApplicable] == n
	})
}

func odds(k int) []float64 {
	r := rand.New(rand.NewPCG(uint64(k), 1)) //nolint:gosec // k counts arms
	p, sum := make([]float64, k), 0.0
	for i := range p {
		p[i] = float64(1 + r.IntN(4))
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

func backwardsLabels(k int) []string {
	out := labels(k)
	slices.Reverse(out)
	return out
}
