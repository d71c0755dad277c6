package world

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

// ending is a context that has ended from its n-th look on.
type ending struct {
	context.Context //nolint:containedctx // it is one
	looks, n        int
}

// Err counts a look.
func (c *ending) Err() error {
	c.looks++
	if c.looks >= c.n {
		return context.Canceled
	}
	return nil
}

// TestStops: a simulation looks at the context before each experiment, and after
// few rounds where rounds take long.
func TestStops(t *testing.T) {
	short := private()
	short.Rounds, short.Repeat = 3, 50
	long := private()
	long.Policy, long.ContextDim, long.Rounds = "linucb", 150, 6
	plain := private()
	plain.Rounds = 40_000
	for name, s := range map[string]*Spec{
		"many experiments": declared(t, short, .3, .5), "long rounds": declared(t, long, .3, .5), "many rounds": declared(t, plain, .3, .5),
	} {
		if s.Protocol.Policy.Name == "linucb" {
			s.ContextDim = 150
		}
		for _, n := range []int{1, 4} {
			_, err := Simulate(&ending{Context: context.Background(), n: n}, s, filepath.Join(t.TempDir(), "log"))
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s, look %d: error %v, want %v", name, n, err, context.Canceled)
			}
		}
	}
}

// TestBytes: what is known beforehand grows with the square of the contexts'
// length, with the arms and with the experiments. 2·12·d(d+1) bytes are the
// numbers of the two regressions.
func TestBytes(t *testing.T) {
	bytes := func(policy string, dim int, repeat int64) int64 {
		s := private()
		s.Policy, s.ContextDim, s.Repeat = policy, dim, repeat
		spec := declared(t, s, .3, .5)
		n, err := spec.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if got := bytes("linucb", 100, 1); got < 2*12*100*101 || got > 2*2*12*100*101 {
		t.Errorf("linucb: %d bytes", got)
	}
	if got := bytes("ucb", 100, 1); got > 10_000 {
		t.Errorf("ucb: %d bytes", got)
	}
	if got := bytes("ucb", 2, 1_000_000); got < 400_000_000 || got > 800_000_000 {
		t.Errorf("a million experiments: %d bytes", got)
	}
	if got := bytes("ucb", 2, 1<<62); got != 1<<63-1 {
		t.Errorf("2^62 experiments: %d bytes", got)
	}
}

// TestOneValue: what is put into the text of a protocol is one value of it.
func TestOneValue(t *testing.T) {
	for text, want := range map[string]bool{
		"0.05": true, "1/3": true, " 2^-20 ": true, "seeded": true, "{c: 2}": true, "{every: 50}": true, "[0.2, 0.8]": true, "{a: [1, {b: 2}]}": true,
		"1, horizon: 7": false, "50, epsilon: 9": false, "{c: 2}, x: 1": false, "{c: 2} }": false, "{c: [2}]": false, "{c: 2": false, "c: 2": false,
		"": false, " ": false, "1\n  x: 2": false, "1 # x": false, "c:": false, "1}": false, "{a: '}'}": false, `"1"`: false, "[1][2]": false, "]": false,
	} {
		if got := isOneValue(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
	for _, text := range []string{"{c: 2}", "[1]", "1, x: 2"} {
		if isScalar(text) {
			t.Errorf("%q is taken for a scalar", text)
		}
	}
}

// TestThetaBoundOfQuotient: the default bound of θ is √d/l1 also where l1 is a
// quotient: √4·3 = 6.
func TestThetaBoundOfQuotient(t *testing.T) {
	s := private()
	s.Policy, s.ContextDim, s.ContextL1, s.Labels = "linucb", 4, "1/3", DefaultLabels(2)
	d, err := s.Declare("p.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Protocol.Policy.Own.Float("theta_bound"); got != 6 {
		t.Errorf("theta_bound is %g, want 6", got)
	}
	if _, err := full().New(&d.Protocol, d.Protocol.Arms); err != nil {
		t.Error(err)
	}
}
