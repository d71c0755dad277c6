package validity

import (
	"testing"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// The verdict on policy.conformance by what a program answered.
func TestJudgeProgram(t *testing.T) {
	again := func(later int64) *schemas.ProgramAgain {
		return &schemas.ProgramAgain{Rounds: 10, From: new(int64(6)), Later: later}
	}
	whole := func(x schemas.ProgramReplay) schemas.Conformance {
		x.Argv, x.Forced = []string{"p"}, true
		if x.Gives == "" {
			x.Gives = schemas.GivesArm
		}
		return schemas.Conformance{Mode: schemas.ModeExec, Rounds: 10, Replayable: 10, Matched: 10, Program: &x}
	}
	wrong := whole(schemas.ProgramReplay{Again: again(0)})
	wrong.Matched, wrong.FirstMismatch = 9, &schemas.Mismatch{Round: 3, Logged: "a", Replayed: "b"}
	unsteady := wrong
	unsteady.Program = &schemas.ProgramReplay{Argv: []string{"p"}, Again: &schemas.ProgramAgain{Rounds: 10, Before: new(int64(2))}}
	parrot := again(0)
	parrot.Mirrored = new(int64(0))
	late := again(0)
	late.Mirrored = new(int64(1))
	drawn := whole(schemas.ProgramReplay{Again: again(3), Gives: schemas.GivesPropensities})
	drawn.Law = &schemas.LawReplay{Allocation: schemas.AllocationTest{P: 1, Level: 0.001}}
	accused := drawn
	accused.Law = &schemas.LawReplay{Allocation: schemas.AllocationTest{P: 1e-9, Level: 0.001, Rejected: true, Arm: "a"}}
	for name, tc := range map[string]struct {
		c    schemas.Conformance
		want schemas.Verdict
	}{
		"every action, other answers to other rewards": {whole(schemas.ProgramReplay{Again: again(3)}), schemas.Verified},
		"other answers to mirrored rewards alone":      {whole(schemas.ProgramReplay{Again: late}), schemas.Verified},
		"no rewards are handed over":                   {whole(schemas.ProgramReplay{Again: &schemas.ProgramAgain{Rounds: 10}}), schemas.Verified},
		"the same answers to any rewards":              {whole(schemas.ProgramReplay{Again: parrot}), schemas.NotEstablished},
		"not the same answers twice":                   {unsteady, schemas.NotEstablished},
		"another action":                               {wrong, schemas.Violated},
		"propensities without logged ones":             {drawn, schemas.Consistent},
		"propensities that the actions do not follow":  {accused, schemas.Violated},
		"a failure": {whole(schemas.ProgramReplay{Failure: &schemas.ProgramFailure{Cause: "time", Words: "gave no answer"}}), schemas.NotRun},
	} {
		in := &publiclog.Log{Protocol: &schemas.Protocol{Program: &schemas.Policy{Exec: []string{"p"}}}}
		e := &Evidence{Facts: &publiclog.Facts{Log: in}, Protocol: in.Protocol, Replayed: &tc.c}
		if got, why := e.judgeProgram(); got != tc.want || why == "" {
			t.Errorf("%s: %s (%s), want %s", name, got, why, tc.want)
		}
	}
}
