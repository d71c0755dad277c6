package analyze

import (
	"fmt"
	"strings"

	"banditaudit/analyze/allocation"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// noLedger is why nothing that rests on the ledger is known of a program.
const noLedger = "the policy is a program (policy.exec), and nobody knows what the program makes of a reward, so there is no ledger"

// judgeProgram is judgeConformance where the policy is a program.
func (e *evidence) judgeProgram() (schemas.Verdict, string) {
	if e.replay == nil || e.replay.Conformance.Program == nil {
		return schemas.NotRun, "replay was not run; pass --replay"
	}
	r := &e.replay.Conformance
	x := r.Program
	if x.Failure != nil {
		return schemas.NotRun, "the program " + x.Failure.Words
	}
	if again := x.Again; again != nil && again.Before != nil {
		return schemas.NotEstablished, fmt.Sprintf("the program does not answer the same twice: two runs on the same rounds differ first in round %s; let it draw from the seed in policy.parameters or policy.seed, or answer propensities (policy.gives)", schemas.Grouped(*again.Before))
	}
	if why := e.programDisagrees(r); why != "" {
		return schemas.Violated, why
	}
	if x.Unmoved() {
		return schemas.NotEstablished, fmt.Sprintf("the answers of the program do not depend on the rewards that it was sent: in the first %s they are the same with every reward y as lo + hi − y. A program that reads the log, and does not decide, answers so; where the policy reads no rewards, declare policy.reads_rewards: false", plural(x.Again.Rounds, "round"))
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
func (e *evidence) programDisagrees(r *schemas.Conformance) string {
	var out string
	switch p := r.Propensities; {
	case r.FirstMismatch != nil && r.Law != nil:
		m := r.FirstMismatch
		out = fmt.Sprintf("round %s: logged %s, to which the program gives the propensity 0; %s of this kind", schemas.Grouped(m.Round), schemas.Named(m.Logged), plural(r.Law.Impossible, "round"))
	case r.FirstMismatch != nil:
		m := r.FirstMismatch
		out = fmt.Sprintf("round %s: logged %s, the program plays %s; %s", schemas.Grouped(m.Round), schemas.Named(m.Logged), schemas.Named(m.Replayed), programCount(r))
	case p != nil && p.FirstMismatch != nil:
		m := p.FirstMismatch
		out = fmt.Sprintf("round %s: the logged propensity of %s is %.10g, the program answers %.10g; %s of %s differ", schemas.Grouped(m.Round), schemas.Named(m.Arm), m.Logged, m.Replayed, schemas.Grouped(p.Rounds-p.Matched), plural(p.Rounds, "round"))
	case r.Law != nil && r.Law.Allocation.Rejected:
		t := &r.Law.Allocation
		return fmt.Sprintf("given the propensities that the program answers, %s was not played with them (%s, level %.3g, valid at every number of rounds)", allocation.WageredArm(t), schemas.PIs(t.P), t.Level)
	default:
		return ""
	}
	return out + ". An honest log can differ by another version of the program or of a library it loads, another libm or BLAS, rewards that became known in another order, or rounds before the first that are not in the log"
}

// programCount says how many rounds differ.
func programCount(r *schemas.Conformance) string {
	if !r.Program.Forced {
		return "rounds after it are not compared, for the program does not learn the logged actions"
	}
	return plural(r.Replayable-r.Matched, "round") + " differ in all"
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
		return fmt.Sprintf("; shown other rewards, it answers otherwise in %s of the first %s", schemas.Grouped(again.Later), plural(again.Rounds, "round"))
	case again.Mirrored != nil:
		return fmt.Sprintf("; shown every reward y as lo + hi − y, it answers otherwise in %s of the first %s", schemas.Grouped(*again.Mirrored), plural(again.Rounds, "round"))
	}
	return fmt.Sprintf("; it answers the same twice in the first %s, and is handed no rewards", plural(x.Again.Rounds, "round"))
}

// programWords fill in what a claim says beside its verdict.
func (v *verdicts) programWords(f *schemas.Finding) {
	f.Statement = "Every logged action is the one that the program chooses."
	if v.Protocol.Program.Gives != schemas.GivesArm {
		f.Statement = "Actions and propensities are those that the program gives."
	}
	f.Procedure = "teacher-forced replay, evidence: " + schemas.ModeExec + ", the program in policy.exec, which is shown the rewards of earlier rounds as policy.update lets it see them, and answers before it is shown the round"
	if v.replay == nil || v.replay.Conformance.Replayable == 0 {
		return
	}
	f.Observed = matchWords(&v.replay.Conformance, false)
}

// purposeHandedOver is the purpose for which the rewards were handed to a program; "" where
// they were not.
func (e *evidence) purposeHandedOver() string {
	if e.replay == nil || e.replay.Conformance.Program == nil {
		return ""
	}
	return e.replay.Conformance.Program.Purpose
}

// handedOver books that rewards were handed to a program.
func (s *sample) handedOver() error {
	purpose := s.purposeHandedOver()
	if purpose == "" {
		return nil
	}
	columns := []string{tableau.Reward, tableau.Arm}
	if s.Slice.HasPropensity() {
		columns = append(columns, tableau.Propensity)
	}
	return s.book.Disclose(purpose, s.Slice.Rows(), columns)
}
