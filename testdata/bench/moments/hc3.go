package main

import (
	"fmt"

	"banditaudit/analyze/stat/regress"
	"banditaudit/ingest/tableau"
)

// regressions makes a pass for moments, fits every arm, and makes a pass for HC3
// errors.
func (j *job) regressions(t *tableau.Tableau) (*part, error) {
	j.models = nil
	total, err := j.tableau(t, j.moments)
	if err != nil {
		return nil, err
	}
	names := make([]string, j.width)
	for i := range names {
		names[i] = fmt.Sprintf("x%d", i)
	}
	for _, c := range total.cross {
		j.models = append(j.models, regress.Fit(c, names, true))
	}
	second, err := j.tableau(t, func(p *part, arm []int32, x [][]float64, y []float64) error {
		return regress.AddByArm(p.second, arm, x, y)
	})
	if err != nil {
		return nil, err
	}
	second.cross = total.cross
	return second, nil
}

// sandwiches are empty second passes, none before the models are there.
func (j *job) sandwiches() []*regress.Sandwich {
	var out []*regress.Sandwich
	for _, m := range j.models {
		s, err := regress.NewSandwich(m, regress.HC3)
		if err != nil {
			panic(err) // HC3 is a kind
		}
		out = append(out, s)
	}
	return out
}

// coefficients are the estimates of each arm and their standard errors.
func (p *part) coefficients() (estimates, errors [][]float64) {
	for _, s := range p.second {
		var b, e []float64
		for _, c := range s.Table().Coefficients {
			b, e = append(b, c.Estimate), append(e, c.StdErr)
		}
		estimates, errors = append(estimates, b), append(errors, e)
	}
	return estimates, errors
}
