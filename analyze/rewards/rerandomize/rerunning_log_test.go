package rerandomize

import (
	"context"
	"testing"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest"
	"banditaudit/ingest/files"
	"banditaudit/ingest/tableau"
	"banditaudit/ingest/tableaudir"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// simulated is the log of a world under a protocol.
func simulated(t *testing.T, source string, spec *world.Spec) *Subject {
	t.Helper()
	doc, err := replay.Standard().Format().ParseProtocol("p.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	in, to := t.TempDir(), t.TempDir()
	spec.Protocol = &doc.Protocol
	if _, err = world.Simulate(t.Context(), spec, in+"/log"); err != nil {
		t.Fatal(err)
	}
	sources, err := files.Discover(t.Context(), []string{in})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = ingest.Ingest(t.Context(), &doc.Protocol, sources, to, ingest.Options{Tool: schemas.Tool{Name: "test", Version: "test"}}); err != nil {
		t.Fatal(err)
	}
	tab, m, err := tableaudir.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tab.Close() })
	declared, err := conformance.Declare(replay.Standard(), &doc.Protocol, m.Arms)
	if err != nil {
		t.Fatal(err)
	}
	log := publiclog.New(declared, m, 0, tab.Slice(0))
	return &Subject{Facts: &publiclog.Facts{Log: &log}, Protocol: log.Protocol, Book: &ledger.Disclosures{}}
}

// asLogged plays the policy with the log's own seed on the records in their order, as
// runs are played, and returns the number of rounds and of those with another arm than
// the log: none, where runs are those of the policy that is declared.
func (s *Subject) asLogged(ctx context.Context, master [32]byte) (rounds, other int, err error) {
	r, err := s.readRerunRecords(ctx)
	if err != nil {
		return 0, 0, err
	}
	if err = s.readRewards(ctx, r, "test", tableau.Arm); err != nil {
		return 0, 0, err
	}
	order := make([]int32, r.rounds())
	for t := range order {
		order[t] = int32(t)
	}
	err = newRerunPolicy(ctx, s.Facts.Mechanism, s.Facts.Slice.ID(), r).play(s.Facts.Mechanism.NewRunner(master, s.Facts.Slice.ID()), order, func(t, arm int) {
		if rounds++; int32(arm) != r.arm[t] {
			other++
		}
	})
	return rounds, other, err
}

// The policy, played as in the runs, on the records in the order of the log and with the
// seed of the log, plays the arms of the log: of every policy, with and without noise,
// where rewards are known later, in batches, with contexts, and where not every arm can be
// played.
func TestRerunPlaysTheLog(t *testing.T) {
	t.Parallel()
	const ucb, seed, hybrid = "name: ucb, width: {c: 2}", ", seed: {file: seed.hex}", "name: hybrid, epsilon: 1, horizon: 1000"
	const prior, ridge = "name: thompson, prior: {alpha: 1, beta: 1}", "lambda: 1, theta_bound: 1, noise_sd: 0.5, context_l1: 1"
	for name, c := range map[string]struct {
		log, policy, counter string
		spec                 world.Spec
	}{
		"ucb":                    {"", ucb, "name: exact", world.Spec{}},
		"ucb with noise":         {"", ucb, hybrid, world.Spec{}},
		"ucb, delays":            {", reward_order: reward_order", ucb, "name: exact", world.Spec{Delay: world.Delay{Mean: 7}, Never: .05}},
		"ucb in batches":         {", batch: batch", ucb + ", update: batch", "name: exact", world.Spec{Batch: 7}},
		"ucb, every 9, delays":   {", reward_order: reward_order", ucb + ", update: {every: 9}", "name: exact", world.Spec{Delay: world.Delay{Mean: 7}}},
		"ucb, some arms":         {", eligible: eligible, eligible_by: schedule", ucb + ", ties: seeded", "name: exact", world.Spec{Eligible: .7}},
		"epsilon-greedy":         {"", "name: epsilon-greedy, explore: 0.2", "name: exact", world.Spec{}},
		"epsilon-greedy, floor":  {"", "name: epsilon-greedy, explore: 0.2, floor: 0.05", hybrid, world.Spec{}},
		"thompson":               {"", prior, "name: exact", world.Spec{}},
		"thompson in batches":    {", batch: batch", prior + ", update: batch", hybrid, world.Spec{Batch: 20}},
		"softmax":                {"", "name: softmax, eta: 0.5", "name: exact", world.Spec{}},
		"successive-elimination": {"", "name: successive-elimination, width: {c: 2}", "name: epochs, epsilon: 1", world.Spec{}},
		"linucb":                 {", context: [x0, x1]", "name: linucb, " + ridge, "name: exact", world.Spec{World: "linear"}},
		"lints by arm":           {", context_by_arm: context_by_arm", "name: lints, " + ridge, "name: exact", world.Spec{World: "linear", ByArm: true, ContextDim: 2}},
		"ucb, strata":            {"", ucb + ", by: leaf, update: {every: 3}", hybrid, world.Spec{}},
		"thompson, strata":       {", batch: batch, reward_order: reward_order", prior + ", by: leaf, update: batch", "name: exact", world.Spec{Batch: 7, Delay: world.Delay{Mean: 5}}},
		"uniform":                {"", "name: uniform", "name: exact", world.Spec{}},
		"fixed":                  {"", "name: fixed, probabilities: [0.2, 0.3, 0.5]", "name: exact", world.Spec{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := c.spec
			spec.Rounds = 600
			if spec.World != "linear" {
				spec.Means = []float64{.3, .4, .5}
			}
			spec.Master, spec.CreatedBy = replay.Seed(5), "test"
			s := simulated(t, "version: 1\nexperiment: {id: e}\nlog: {order: [round], action: action, reward: reward"+c.log+"}\narms: [a, b, c]\nreward: {range: [0, 1], out_of_range: clip}\npolicy: {"+c.policy+seed+"}\ncounter: {"+c.counter+"}\n", &spec)
			rounds, other, err := s.asLogged(t.Context(), spec.Master)
			if err != nil {
				t.Fatal(err)
			}
			if rounds != 600 || other != 0 {
				t.Errorf("of %d rounds %d have another arm", rounds, other)
			}
		})
	}
}
