package schemas_test

import (
	"strings"
	"testing"
	"time"

	"banditaudit/replay"
	"banditaudit/schemas"
)

const withProgram = `version: 1
experiment: {id: x}
log: {order: [t], action: a, reward: r}
arms: [b, a]
reward: {range: [0, 1]}
`

// A policy that is a program is read with its defaults, and travels as it was written.
func TestProgram(t *testing.T) {
	source := withProgram + "policy: {exec: [python3, p.py], parameters: {seed: 1, alpha: 1.0, name: \"1\", deep: {on: true, list: [1, x]}}, sha256: {p.py: " + strings.Repeat("ab", 32) + "}}\n"
	doc, err := replay.Standard().Format().ParseProtocol("p.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	p := doc.Protocol.Program
	if doc.Protocol.Policy != nil || p == nil || p.Gives != schemas.GivesArm || p.Timeout != "30s" || p.MemoryBytes() != 2<<30 || !p.Reads() || p.Update.Every != 1 {
		t.Fatalf("%+v", p)
	}
	b, err := schemas.Encode(p.Parameters)
	if err != nil || strings.Join(strings.Fields(string(b)), "") != `{"alpha":1.0,"deep":{"list":[1,"x"],"on":true},"name":"1","seed":1}` {
		t.Errorf("%s %v", b, err)
	}
	text, err := schemas.EncodeProtocol(&doc.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	again, err := replay.Standard().Format().ParseProtocol("p.yaml", text)
	if err != nil || again.Protocol.MechanismDigest() != doc.Protocol.MechanismDigest() {
		t.Errorf("%v\n%s", err, text)
	}
}

// What does not belong beside a program is refused with the mend, and so are the program's
// keys where there is none.
func TestProgramRules(t *testing.T) {
	for keys, want := range map[string]string{
		"policy: {exec: [p], name: ucb}":                           "policy.name does not belong here",
		"policy: {exec: [p], ties: first}":                         "policy.ties does not belong here",
		"policy: {exec: [p], width: {c: 2}}":                       "policy.width does not belong here",
		"policy: {exec: [p]}\ncounter: {name: exact}":              "counter stands beside policy.exec",
		"policy: {exec: []}":                                       "policy.exec is empty",
		"policy: {exec: [p], gives: probabilities}":                "policy.gives",
		"policy: {exec: [p], timeout: soon}":                       "policy.timeout",
		"policy: {exec: [p], memory: 7}":                           "policy.memory",
		"policy: {exec: [p], exec_env: [A=B]}":                     "policy.exec_env[0]",
		"policy: {exec: [p], sha256: {p: 12}}":                     "policy.sha256",
		"policy: {exec: [p], update: {every: 0}}":                  "policy.update",
		"policy: {exec: [p], draw: {by: unit}}":                    "policy.draw.by",
		"policy: {name: ucb, width: {c: 2}, gives: arm}":           "policy.gives does not belong here",
		"policy: {name: ucb, width: {c: 2}, reads_rewards: false}": "policy.reads_rewards does not belong here",
		"policy: {exec: [p], parameters: 3}":                       "policy.parameters",
		"policy: {exec: [p], unknown: 3}":                          "unknown key",
	} {
		_, err := replay.Standard().Format().ParseProtocol("p.yaml", []byte(withProgram+keys+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", keys, err)
		}
	}
}

// A declared timeout bounds the first answer too.
func TestFirstAnswer(t *testing.T) {
	for line, want := range map[string][2]time.Duration{
		"":                {30 * time.Second, 5 * time.Minute},
		", timeout: 30s":  {30 * time.Second, 30 * time.Second},
		", timeout: 700s": {700 * time.Second, 700 * time.Second},
	} {
		doc, err := replay.Standard().Format().ParseProtocol("p.yaml", []byte(withProgram+"policy: {exec: [p]"+line+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if p := doc.Protocol.Program; p.AnswerWithin() != want[0] || p.FirstWithin() != want[1] {
			t.Errorf("%q: %v and %v, want %v", line, p.AnswerWithin(), p.FirstWithin(), want)
		}
	}
}
