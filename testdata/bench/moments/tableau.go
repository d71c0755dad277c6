package main

import (
	"context"

	"banditaudit/analyze/stat/moments"
	"banditaudit/ingest/tableau"
)

// book refuses nothing: a benchmark publishes no reward.
type book struct{}

func (book) Release(string, int64) error            { return nil }
func (book) Disclose(string, int64, []string) error { return nil }

// add adds a chunk to a part.
type add func(p *part, arm []int32, x [][]float64, y []float64) error

// tableau makes one pass over all experiments, through the gate.
func (j *job) tableau(t *tableau.Tableau, add add) (*part, error) {
	total := j.newPart()
	for i := range t.Experiments() {
		s := t.Slice(i)
		rewards, err := s.Disclose(book{}, "estimate:arms", "arm")
		if err != nil {
			return nil, err
		}
		p, err := j.fold(s.Chunks(), func(_ context.Context, i int) (*part, error) {
			p := j.newPart()
			return p, s.Guard(func() error {
				return add(p, rewards.Arms(i), s.Chunk(i).X, rewards.Chunk(i))
			})
		})
		if err != nil {
			return nil, err
		}
		total.merge(p)
	}
	return total, nil
}

func (j *job) moments(p *part, arm []int32, x [][]float64, y []float64) error {
	if j.what == "means" {
		return moments.AddScalarsByArm(p.scalar, arm, y)
	}
	return moments.AddByArm(p.cross, arm, x, y)
}
