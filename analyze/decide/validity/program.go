package validity

import (
	"fmt"
	"strings"

	"banditaudit/analyze/log/allocation"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// judgeProgram is judgeConformance where the policy is a program.
func (e *Evidence) judgeProgram() (schemas.Verdict, string) {
	if e.Replayed == nil || e.Replayed.Program == nil {
		return schemas.NotRun, "replay was not run; pass --replay"
	}
	r := e.Replayed
	x := r.Program
	if x.Failure != nil {
		return schemas.NotRun, "the program " + x.Failure.Words
	}
	if e.Facts.Sampled.Dropped() {
		return schemas.NotEstablished, "the program is asked what it would play behind rounds that the log does not hold: " + e.Facts.Sampled.Gone()
	}
	if again := x.Again; again != nil && again.Before != nil {
		return schemas.NotEstablished, fmt.Sprintf("the program does not answer the same twice: two runs on the same rounds differ first in round %s; let it draw from the seed in policy.parameters or policy.seed, or answer propensities (policy.gives)", schemas.Grouped(*again.Before))
	}
	if why := e.programDisagrees(r); why != "" {
		return schemas.Violated, why
	}
	if x.Unmoved() {
		return schemas.NotEstablished, fmt.Sprintf("the answers of the program do not depend on the rewards that it was sent: in the first %s they are the same with every reward y as lo + hi − y. A program that reads the log, and does not decide, answers so; where the policy reads no rewards, declare policy.reads_rewards: false", schemas.Counted(x.Again.Rounds, "round"))
	}
	switch {
	case r.Replayable == 0:
		return schemas.NotEstablished, "the program answers propensities, none are logged, and a unit (log.unit) owns several rounds, of which it is not declared whether each was drawn by itself: write policy.draw: {by: round} where it was"
	case r.Law != nil:
		t := r.Law.Allocation
		return schemas.Consistent, fmt.Sprintf("no wager against the propensities that the program answers reaches level %.3g (%s)%s", t.Level, schemas.PIs(t.P), boundWords(x))
	case x.Gives == schemas.GivesPropensities:
		return schemas.Consistent, equalWords(r.Propensities) + "; whether arms were drawn with them is allocation.matches_propensity" + boundWords(x)
	}
	return schemas.Verified, named(x) + ", run on the logged history, chooses every logged action; that the program is the policy that was deployed is not checked" + boundWords(x)
}

// programDisagrees says what in the answers contradicts the log; "" where nothing does.
func (e *Evidence) programDisagrees(r *schemas.Conformance) string {
	var out string
	switch p := r.Propensities; {
	case r.FirstMismatch != nil && r.Law != nil:
		m := r.FirstMismatch
		out = fmt.Sprintf("round %s: logged %s, to which the program gives the propensity 0; %s of this kind", schemas.Grouped(m.Round), schemas.Named(m.Logged), schemas.Counted(r.Law.Impossible, "round"))
	case r.FirstMismatch != nil:
		m := r.FirstMismatch
		out = fmt.Sprintf("round %s: logged %s, the program plays %s; %s", schemas.Grouped(m.Round), schemas.Named(m.Logged), schemas.Named(m.Replayed), programCount(r))
	case p != nil && p.FirstMismatch != nil:
		m := p.FirstMismatch
		out = fmt.Sprintf("round %s: the logged propensity of %s is %.10g, the program answers %.10g; %s of %s differ", schemas.Grouped(m.Round), schemas.Named(m.Arm), m.Logged, m.Replayed, schemas.Grouped(p.Rounds-p.Matched), schemas.Counted(p.Rounds, "round"))
	case r.Law != nil && r.Law.Allocation.Rejected:
		t := &r.Law.Allocation
		return fmt.Sprintf("given the propensities that the program answers, %s was not played with them (%s, level %.3g, valid at every number of rounds)", allocation.WageredArm(t), schemas.PIs(t.P), t.Level)
	default:
		return e.Unlike
	}
	return out + ". An honest log can differ by another version of the program or of a library it loads, another libm or BLAS, rewards that became known in another order, or rounds before the first that are not in the log"
}

// programCount says how many rounds differ.
func programCount(r *schemas.Conformance) string {
	if !r.Program.Forced {
		return "rounds after it are not compared, for the program does not learn the logged actions"
	}
	if n := r.Replayable - r.Matched; n != 1 {
		return schemas.Counted(n, "round") + " differ in all"
	}
	return "1 round differs in all"
}

// named is a program by what it calls itself, and by its digests.
func named(x *schemas.ProgramReplay) string {
	name := x.Program
	if name == "" {
		name = x.Argv[0]
	}
	out := "the program " + schemas.Quoted(name)
	if x.Version != "" {
		out += " " + schemas.Quoted(x.Version)
	}
	if len(x.Files) == 0 {
		return out + " (no file below the protocol's directory is among its arguments, so that no digest says which program it was)"
	}
	files := make([]string, len(x.Files))
	for i, f := range x.Files {
		files[i] = schemas.Quoted(f.Name) + " sha256 " + f.SHA256
	}
	return out + " (" + strings.Join(files, ", ") + "; what it loads beside is not covered)"
}

// boundWords say what the runs with other rewards showed.
func boundWords(x *schemas.ProgramReplay) string {
	switch again := x.Again; {
	case again == nil:
		return ""
	case again.Later > 0:
		return fmt.Sprintf("; shown other rewards, it answers otherwise in %s of the first %s", schemas.Grouped(again.Later), schemas.Counted(again.Rounds, "round"))
	case again.Mirrored != nil:
		return fmt.Sprintf("; shown every reward y as lo + hi − y, it answers otherwise in %s of the first %s", schemas.Grouped(*again.Mirrored), schemas.Counted(again.Rounds, "round"))
	}
	return fmt.Sprintf("; it answers the same twice in the first %s, and is handed no rewards", schemas.Counted(x.Again.Rounds, "round"))
}

// HandedOver books that rewards were handed to a program, where they were.
func (e *Evidence) HandedOver(book *ledger.Disclosures) error {
	if e.Replayed == nil || e.Replayed.Program == nil || e.Replayed.Program.Purpose == "" {
		return nil
	}
	columns := []string{tableau.Reward, tableau.Arm}
	if e.Facts.Slice.HasPropensity() {
		columns = append(columns, tableau.Propensity)
	}
	return book.Disclose(e.Replayed.Program.Purpose, e.Facts.Slice.Rows(), columns)
}
