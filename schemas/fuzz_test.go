package schemas

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// FuzzParseProtocol: reading never panics; what it refuses it refuses with
// Problems that stand in the text; and what it accepts has an effective form
// that fits the schema and reads back as the same.
func FuzzParseProtocol(f *testing.F) {
	f.Add([]byte(goodProtocol))
	f.Add([]byte(formatExample))
	f.Add([]byte(smallestProtocol))
	for _, mechanism := range []string{
		"policy: {name: epsilon-greedy, explore: {decay: 5}, floor: 0.1}\ncounter: {name: interval, epsilon: 1/3, horizon: 9, exponent: 3/2}\n",
		"policy: {name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5, context_l1: 3/4, ties: seeded}\ncounter: {name: tree, epsilon: 1, horizon: 9, sensitivity: 1}\n",
		"policy: {name: successive-elimination, width: {c: 1}, bonus: paper, update: {every: 3}}\ncounter: {name: epochs, epsilon: 1, horizon: 9}\n",
	} {
		f.Add([]byte("version: 1\nexperiment: {id: e}\nlog: {order: [t], action: a, reward: r, context: [x]}\narms: [x, y]\nreward: {range: [0, 1]}\n" + mechanism))
	}
	f.Add([]byte("a: &x [*x]\n<<: !!t {? k : v}\n"))
	f.Add([]byte("a: |\n  x\nb: >-\n  y\n'c': \"\\u00e9\"\n"))
	f.Add([]byte("[{a: [b, {c"))
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := standard().ParseProtocol("p.yaml", src)
		if err != nil {
			problems, ok := errors.AsType[Problems](err)
			if !ok || len(problems) == 0 || d != nil {
				t.Fatalf("refused without problems: %v", err)
			}
			for _, p := range problems {
				if p.Line > bytes.Count(src, []byte("\n"))+bytes.Count(src, []byte("\r"))+2 || p.What == "" || strings.ContainsAny(p.What, "\n") {
					t.Fatalf("a problem that is not one line or stands nowhere: %q", p.String())
				}
			}
			return
		}
		once, err := d.Effective()
		if err != nil {
			t.Fatal(err)
		}
		if err = standard().ValidateProtocol(once); err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		text, err := d.EffectiveYAML()
		if err != nil {
			t.Fatal(err)
		}
		again, err := standard().ParseProtocol("effective.yaml", text)
		if err != nil {
			t.Fatalf("the effective protocol is refused: %v\n%s", err, text)
		}
		twice, err := again.Effective()
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%v\n%s\n%s", err, once, twice)
		}
	})
}

// FuzzDecodeReplay: what is no replay is refused as such, and what is read comes
// back as the same when it is written and read again.
func FuzzDecodeReplay(f *testing.F) {
	const head = `{"schema":"replay.v1","tool":{"name":"banditaudit","version":"0"},"tableau_sha256":"` + "0000000000000000000000000000000000000000000000000000000000000000" + `","protocol_sha256":"` + "0000000000000000000000000000000000000000000000000000000000000000" + `","experiments":[`
	f.Add([]byte(head + `]}`))
	f.Add([]byte(head + `{"id":"e","conformance":{"mode":"none","rounds":-1}}]}`))
	whole, err := Encode(&Replay{Schema: ReplaySchema, Tool: Tool{Name: "banditaudit", Version: "0"}, Experiments: []ReplayExperiment{{ID: "e", Conformance: Conformance{Mode: ModeNone, Rounds: 3}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, src []byte) {
		r, err := DecodeReplay(src)
		if err != nil {
			if r != nil || !errors.Is(err, ErrInvalid) {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		once, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeReplay(once)
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if twice, err := Encode(again); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%v\n%s\n%s", err, once, twice)
		}
	})
}
