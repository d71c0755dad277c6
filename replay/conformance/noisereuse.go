package conformance

import (
	"context"
	"errors"
	"fmt"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/noise"
	"banditaudit/schemas"
)

// mostPrinted bounds the rounds of an experiment whose noise is compared with
// the noise of other experiments.
const mostPrinted = 4096

// errPrinted ends a pass that has seen enough.
var errPrinted = errors.New("conformance: enough noise was seen")

// Comparable reports whether experiments of a log are held against each other:
// what the policy saw is logged, and the declared counter adds noise to it.
func (d *Declared) Comparable(s *tableau.Slice) bool {
	return d.Protocol.Policy != nil && s.Schema().ReleasedByArm > 0 && d.Mechanism.ReadsRewards() && d.Mechanism.Recover() != nil
}

// Prints returns what the noise in the first released values of an experiment is known
// again by in another: see noise.Prints. experiments is the number of experiments of the
// log. It looks at mostPrinted rounds at most, and at no more than it needs. What it reads
// of rewards is booked first. It returns the same errors as Run.
func (d *Declared) Prints(ctx context.Context, s *tableau.Slice, book tableau.Book, experiments int) ([]noise.Print, error) {
	if !d.Comparable(s) {
		return nil, nil
	}
	var out []noise.Print
	err := s.Guard(func() error {
		j := d.begin(ctx, s, book)
		j.shows = true
		if err := j.costs.Contradict(); err != nil {
			return err
		}
		var err error
		out, err = j.prints(experiments)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("conformance: experiment %s: %w", schemas.Quoted(s.ID()), err)
	}
	return out, nil
}

func (j *job) prints(experiments int) ([]noise.Print, error) {
	seen, err := j.see()
	if err != nil {
		return nil, err
	}
	l, err := j.openRuns(seen.run, nil)
	if err != nil {
		return nil, err
	}
	l.rows = min(l.rows, mostPrinted)
	streams := min(noise.AcrossStreams, int64(j.mechanism.Arms()*seen.per)*j.s.Strata())
	var out []noise.Print
	t, look := int64(0), int64(1)
	err = l.follow(j, func(int) error {
		seen.values(l)
		if t++; t < look && t < l.rows {
			return nil
		}
		look = 2 * t
		if out = seen.noise.Prints(experiments); int64(len(out)) == streams {
			return errPrinted
		}
		return nil
	})
	if err != nil && !errors.Is(err, errPrinted) {
		return nil, err
	}
	return out, nil
}

// Shared holds the noise of all experiments of a log against each other: prints holds the
// prints of each experiment, and ids their names. It returns what an experiment shares with
// another, by its place: see noise.Across.
func (d *Declared) Shared(ids []string, prints [][]noise.Print) map[int]*schemas.SharedNoise {
	out := map[int]*schemas.SharedNoise{}
	for i, twin := range noise.Across(prints) {
		out[i] = &schemas.SharedNoise{
			Arm: d.Arms[twin.Print.Arm], Coordinate: int64(twin.Print.Coordinate), Experiment: ids[twin.Other],
			OtherArm: d.Arms[twin.With.Arm], OtherCoordinate: int64(twin.With.Coordinate),
			Draws: int64(twin.Print.Draws), Experiments: int64(twin.Others), Level: noise.AcrossLevel,
		}
	}
	return out
}
