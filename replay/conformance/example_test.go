package conformance_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/replay/ledger"
)

const ucb1 = `version: 1
experiment: {id: cta, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [control, blue]
reward: {range: [0, 1]}
policy: {name: ucb, width: {c: 2}, bonus: none}
counter: {name: exact}
`

// written writes rows as a tableau of one experiment, and opens it.
func written(dir string, arm []int32, reward []float64) (*tableau.Tableau, error) {
	path := filepath.Join(dir, "rounds.arrow")
	n := len(arm)
	s := tableau.Schema{Arms: 2, Reward: [2]float64{0, 1}, Experiments: []tableau.Range{{ID: "cta", Rows: int64(n)}}}
	w, err := tableau.NewWriter(path, s)
	if err != nil {
		return nil, err
	}
	b := tableau.Batch{Experiment: make([]int32, n), Round: make([]int64, n), Arm: arm, Reward: reward}
	for t := range b.Round {
		b.Round[t] = int64(t + 1)
	}
	if err = w.Append(&b); err != nil {
		return nil, err
	}
	if _, err = w.Close(); err != nil {
		return nil, err
	}
	return tableau.Open(path, s)
}

// UCB1 draws nothing, so that its log can be replayed without a seed. It plays each
// arm once and then the one with the larger mean, as both were played as often: what
// was played in round 3 was not the policy's choice.
func ExampleDeclared_Run() {
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	log, err := written(dir, []int32{0, 1, 0, 1}, []float64{0, 1, 0, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = log.Close() }()
	catalogue := replay.Standard()
	d, err := catalogue.Format().ParseProtocol("protocol.yaml", []byte(ucb1))
	if err != nil {
		fmt.Println(err)
		return
	}
	declared, err := conformance.Declare(catalogue, &d.Protocol, d.Protocol.Arms)
	if err != nil {
		fmt.Println(err)
		return
	}
	var book ledger.Disclosures
	found, err := declared.Run(context.Background(), log.Slice(0), &book, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := found.Conformance
	m := c.FirstMismatch
	fmt.Printf("%d of %d rounds match; in round %d arm %s was played, and the policy chooses %s\n", c.Matched, c.Replayable, m.Round, m.Logged, m.Replayed)
	for _, b := range book.List() {
		if b.Law != "" {
			fmt.Println("rewards were read by", b.Law)
		}
	}
	// Output:
	// 3 of 4 rounds match; in round 3 arm control was played, and the policy chooses blue
	// rewards were read by ucb × exact
	// rewards were read by ucb × exact, neighbours
	// rewards were read by ucb × exact, rewards as written
}
