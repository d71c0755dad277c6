package conformance

import (
	"context"
	"fmt"

	"banditaudit/ingest/precision"
	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/accounting"
	"banditaudit/replay/conformance/programreplay"
	"banditaudit/replay/transcript"
	"banditaudit/schemas"
)

// Declared is what experiments are held against. It is immutable and safe for
// concurrent use: one serves all experiments of a log, because a mechanism can
// take a second to build.
type Declared struct {
	accounting.Declared

	From     *replay.Catalogue       // Required: what Protocol may declare.
	Programs *programreplay.Programs // how a policy that is a program is run; nil: it is not
	Jobs     int                     // workers of one experiment; what is found does not depend on it
	Spare    int64                   // bytes that a second run of the mechanism may take beside the first; 0: there is none
}

// Declare builds the mechanism that a protocol declares over arms, if any. It returns the
// errors of replay.New.
func Declare(c *replay.Catalogue, p *schemas.Protocol, arms []string) (*Declared, error) {
	d := &Declared{From: c, Declared: accounting.Declared{Protocol: p, Arms: arms}}
	if p.Policy == nil {
		return d, nil
	}
	var err error
	if d.Mechanism, err = c.New(p, arms); err != nil {
		return nil, err
	}
	return d, nil
}

// Run replays one experiment against the protocol's policy and accounts for
// its privacy. s holds the log. Every use of rewards is booked first. sink, when
// not nil, is given one row per round wherever something can be recomputed.
//
// The result is a pure function of what is declared and of the slice. Run returns errors of
// the book, of the tableau, of sink, and of ctx, which is looked at every few thousand
// rounds.
//
// Special cases are:
//
//	a policy that is a program: mode exec; it is run only where Programs says how
//	no policy declared: mode none, nothing replayable, no mechanism
//	no seed, and nothing drawn (ucb with the exact counter): mode seed
//	a seed, and ties or a start that are declared random: as without a seed
//	no seed, and released values logged of a policy that reads sums: mode
//	released
//	neither, propensities logged, and recomputable, of a policy that draws and
//	reads no noise: mode propensity
//	none of these, of a policy that draws and reads exact sums: mode law
//	else: mode none; the accounting stands
//	a log that Contradicts the mechanism: rounds before the first offending
//	one are replayed, and that one does not match
func (d *Declared) Run(ctx context.Context, s *tableau.Slice, book tableau.Book, sink func(transcript.Row) error) (schemas.ReplayExperiment, error) {
	out := schemas.ReplayExperiment{ID: s.ID(), Privacy: accounting.Claimed(d.Protocol.Privacy)}
	err := s.Guard(func() (err error) {
		j := d.begin(ctx, s, book)
		j.sink = sink
		if j.mechanism != nil {
			if err = j.costs.Contradict(); err == nil {
				err = j.costs.Account(&out.Privacy)
			}
		}
		if err == nil {
			out.Conformance, err = j.conform()
		}
		return err
	})
	if err != nil {
		return schemas.ReplayExperiment{}, fmt.Errorf("conformance: experiment %s: %w", schemas.Quoted(s.ID()), err)
	}
	return out, nil
}

// job is the replay of one experiment.
type job struct {
	declared  *Declared
	protocol  *schemas.Protocol // as declared, like mechanism, arms and catalogue
	mechanism *replay.Mechanism
	arms      []string
	catalogue *replay.Catalogue
	ctx       context.Context //nolint:containedctx // a job is one call of Run
	s         *tableau.Slice
	book      tableau.Book
	sink      func(transcript.Row) error

	costs *accounting.Experiment
	shows bool         // the policy chooses by the logged released values
	noise func() error // holds the noise that was found against its law

	propensity *[2]precision.Column // see columns; nil: not yet
}

// begin begins the replay of an experiment.
func (d *Declared) begin(ctx context.Context, s *tableau.Slice, book tableau.Book) *job {
	return &job{
		declared: d, protocol: d.Protocol, mechanism: d.Mechanism, arms: d.Arms, catalogue: d.From, ctx: ctx, s: s, book: book,
		noise: func() error { return nil }, costs: &accounting.Experiment{Declared: &d.Declared, Context: ctx, Slice: s},
	}
}

// conform takes the best evidence that there is. A contradiction comes on top of
// it.
func (j *job) conform() (schemas.Conformance, error) {
	out, err := j.replay()
	if err != nil || j.mechanism == nil {
		return out, err
	}
	out.Undrawn = j.mechanism.Deterministic()
	err = j.s.Together(j.declared.Jobs, j.noise, func() error { return j.weighs(j.protocol.Policy.Seed, &out) })
	return out, err
}

// weighs finds what the evidence is worth.
func (j *job) weighs(seed *schemas.Seed, out *schemas.Conformance) (err error) {
	switch {
	case j.costs.Against != nil:
		contradict(out, j.costs.Against, j.label)
	case j.protocol.Log.Sampled(): // the policy knew rounds that are gone: nothing here says what ran
	default:
		if out.Binding, err = j.bind(master(seed), out); err == nil {
			out.Hints, err = j.hints(seed, out, mostHintRounds)
		}
	}
	if err == nil {
		out.Rewards, err = j.rewards(out)
	}
	return err
}

// master is a seed as it is drawn from; 32 zero bytes where there is none.
func master(seed *schemas.Seed) [32]byte {
	if seed == nil || len(seed.Bytes) != len([32]byte{}) {
		return [32]byte{}
	}
	return [32]byte(seed.Bytes)
}

// evidence is a kind of evidence of how the actions of a log were chosen.
type evidence struct {
	there func(*job) bool // the log has it
	pass  func(*job) (schemas.Conformance, error)
}

// kinds lists the kinds of evidence. The first that a log has is taken.
func kinds() []evidence {
	return []evidence{byProgram(), undeclared(), bySeed(), byReleased(), byPropensities(), byLaw(), unheld()}
}

// replay takes the best evidence that there is.
func (j *job) replay() (schemas.Conformance, error) {
	for _, kind := range kinds() {
		if kind.there(j) {
			return kind.pass(j)
		}
	}
	return j.none(), nil
}

// undeclared is no evidence: no policy is declared.
func undeclared() evidence {
	return evidence{
		there: func(j *job) bool { return j.mechanism == nil },
		pass:  func(j *job) (schemas.Conformance, error) { return j.none(), nil },
	}
}

// none is the conformance of a log that holds no evidence of how its actions
// were chosen: no seed, no propensities, or no declared policy. Whoever wants
// more next time logs the seed, or what the policy saw.
func (j *job) none() schemas.Conformance {
	return schemas.Conformance{Mode: schemas.ModeNone, Rounds: j.s.Rows()}
}

// chosen counts the rounds that the policy chose: all but those that were given to it.
func (j *job) chosen() int64 { return max(0, j.s.Rows()-j.mechanism.Given()) }

// checkEvery is the number of rounds between two looks at the context.
const checkEvery = 4096

// interrupted returns the context's error, every checkEvery rounds.
func (j *job) interrupted(t int64) error {
	if t%checkEvery != 0 {
		return nil
	}
	return j.ctx.Err()
}

// contradict makes the round in which the mechanism would have ended one that
// does not match. Rounds before it may have been replayed.
func contradict(out *schemas.Conformance, c *accounting.Contradiction, label func(arm int) string) {
	out.Replayable++
	mismatched(out, &schemas.Mismatch{Round: c.Round, Logged: label(c.Arm), Replayed: "no arm: " + c.Words})
}

// label returns the name of an arm.
func (j *job) label(arm int) string {
	if arm < 0 || arm >= len(j.arms) {
		return fmt.Sprintf("arm %d", arm)
	}
	return j.arms[arm]
}
