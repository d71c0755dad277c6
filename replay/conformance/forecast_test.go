package conformance

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"banditaudit/replay/ledger"
	"banditaudit/replay/transcript"
	"banditaudit/schemas"
)

// integrals are mechanisms whose propensities are integrals, by a name.
func integrals() map[string]*schemas.Protocol {
	thompson := func(prior schemas.Values) *schemas.Protocol {
		p := protocol("thompson", "exact")
		p.Policy.Set("prior", prior)
		return p
	}
	beta := schemas.Values{"alpha": 1.0, "beta": 1.0}
	out := map[string]*schemas.Protocol{
		"beta": thompson(beta), "every": thompson(beta), "floor": thompson(beta), "given": thompson(beta), "noise": noisy("thompson", "hybrid"),
		"normal": thompson(schemas.Values{"mean": 0.5, "variance": 1.0, "noise": 0.25}), "linear": protocol("lints", "exact"),
	}
	out["linear"].Policy.Set("lambda", 1.0)
	out["linear"].Policy.Set("noise_sd", 0.5)
	out["every"].Policy.Update = &schemas.Update{Every: 500}
	out["floor"].Policy.Floor = schemas.Mix(0.05)
	out["given"].Policy.Set("start", schemas.Values{"given": 100.0})
	out["noise"].Counter.Horizon = 100_000
	return out
}

// One worker and two find the same, to the byte, where propensities are integrals: by a seed,
// by logged propensities, by the law and for the transcript alone; of an honest log, of late
// rewards, and of one with a propensity that is not the policy's. Where the transcript cannot
// be written both end, at the same round.
func TestForecastByTwoWorkers(t *testing.T) {
	t.Parallel()
	const n = 3*forecastBlocks/2*forecastSize/2 + 100
	full := errors.New("disk full")
	for name, p := range integrals() {
		for i, late := range []bool{false, true} {
			if late && name != "beta" && name != "linear" || testing.Short() && (late || name != "beta" && name != "noise") {
				continue
			}
			l := show(t, p, n, 7, late)
			l.schema.ReleasedByArm, l.ReleasedByArm = 0, nil
			if late {
				l.Propensity[n/2] /= 2
			}
			s, bare := l.write(t), l.unlogged().write(t)
			for mode, log := range map[string]struct {
				seed, propensities bool
			}{schemas.ModeSeed: {true, !late}, schemas.ModePropensity: {false, true}, schemas.ModeLaw: {}} {
				if name == "noise" && mode != schemas.ModeSeed {
					continue
				}
				q, policy := *p, *p.Policy
				if q.Policy = &policy; log.seed {
					seeded(&q, 7)
				}
				d := declare(t, &q)
				if !d.Mechanism.Integral() {
					t.Fatalf("%s: no integrals", name)
				}
				var found [2]string
				for i := range found {
					d.Jobs, d.Spare = i+1, 64<<20
					rows, of, last := sha256.New(), s, int64(0)
					if !log.propensities {
						of = bare
					}
					out, err := d.Run(context.Background(), of, &ledger.Disclosures{}, func(r transcript.Row) error {
						fmt.Fprintf(rows, "%x\n", r.Propensities)
						return nil
					})
					if err != nil {
						t.Fatal(err)
					}
					if out.Conformance.Mode != mode {
						t.Fatalf("%s: mode %s, want %s", name, out.Conformance.Mode, mode)
					}
					bytes, err := schemas.Encode(&out)
					if err != nil {
						t.Fatal(err)
					}
					found[i] = fmt.Sprintf("%s %x", bytes, rows.Sum(nil))
					_, err = d.Run(context.Background(), of, &ledger.Disclosures{}, func(r transcript.Row) error {
						if last = r.Round; last == n/3 {
							return full
						}
						return nil
					})
					if !errors.Is(err, full) || last != n/3 {
						t.Errorf("%s, %s: error %v after round %d", name, mode, err, last)
					}
				}
				if found[0] != found[1] {
					t.Errorf("%s, %s, log %d: two workers find\n%s\nand one\n%s", name, mode, i, found[1], found[0])
				}
			}
		}
	}
}

// There is a second run only where there is a second worker, and room for what it holds: its
// state of every arm, and of late rewards each.
func TestAnotherRun(t *testing.T) {
	t.Parallel()
	const n, room = 3000, 350_000
	p := integrals()["beta"]
	for name, c := range map[string]struct {
		jobs  int
		spare int64
		late  bool
		want  bool
	}{
		"a worker and room":  {2, room, false, true},
		"one worker":         {1, room, false, false},
		"no room":            {2, 0, false, false},
		"late, and room":     {2, room + n*(waitingBytes+8), true, true},
		"late, and too many": {2, room, true, false},
	} {
		d := declare(t, p)
		d.Jobs, d.Spare = c.jobs, c.spare
		if got := d.begin(t.Context(), show(t, p, n, 7, c.late).write(t), nil).another(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
