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

// One worker and two find the same, to the byte, of a policy that reads vectors with noise:
// of an honest log, with released values beside, and of late rewards, batches and an action that
// is another. What fails or is interrupted ends both walks, with the same error.
func TestRelayedByTwoWorkers(t *testing.T) {
	t.Parallel()
	const n = 9_000
	full, gone := errors.New("disk full"), errors.New("interrupted")
	for _, counter := range []string{"laplace", "binary", "hybrid", "tree", "interval", "epochs"} {
		if testing.Short() && counter != "hybrid" {
			continue
		}
		for _, late := range []bool{false, true} {
			p := seeded(noisy("linucb", counter), 7)
			if p.Counter.Horizon = n; late {
				p.Policy.Update = &schemas.Update{Batch: true}
			}
			l := show(t, p, n, 7, late)
			if counter != "hybrid" {
				l.schema.ReleasedByArm, l.ReleasedByArm = 0, nil
			}
			if late {
				l.Arm[n/2] = 1 - l.Arm[n/2]
			}
			s, d := l.write(t), declare(t, p)
			if !d.Mechanism.Linear() || !d.Mechanism.Noisy() {
				t.Fatal("no vectors with noise")
			}
			var found, errs [2]string
			for i := range found {
				d.Jobs, d.Spare = i+1, 64<<20
				rows := sha256.New()
				out, err := d.Run(context.Background(), s, &ledger.Disclosures{}, func(r transcript.Row) error {
					fmt.Fprintln(rows, r)
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				bytes, err := schemas.Encode(&out)
				if err != nil {
					t.Fatal(err)
				}
				found[i] = fmt.Sprintf("%s %x", bytes, rows.Sum(nil))
				_, err = d.Run(context.Background(), s, &ledger.Disclosures{}, func(r transcript.Row) error {
					if r.Round == n/3 {
						return full
					}
					return nil
				})
				if !errors.Is(err, full) {
					t.Errorf("%s: %v", counter, err)
				}
				ctx, cancel := context.WithCancelCause(context.Background())
				_, err = d.Run(ctx, s, &ledger.Disclosures{}, func(r transcript.Row) error {
					if r.Round == n/3 {
						cancel(gone)
					}
					return nil
				})
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%s: %v", counter, err)
				}
				l.Reward[n/2], l.schema.Reward[1] = 2, 2 // which the protocol does not allow
				_, err = d.Run(context.Background(), l.write(t), &ledger.Disclosures{}, nil)
				errs[i] = fmt.Sprint(err)
				l.Reward[n/2], l.schema.Reward[1] = 0, 1
			}
			if found[0] != found[1] || errs[0] != errs[1] || errs[0] == fmt.Sprint(nil) {
				t.Errorf("%s, late %t: two workers find\n%s\n%s\nand one\n%s\n%s", counter, late, found[1], errs[1], found[0], errs[0])
			}
		}
	}
}
