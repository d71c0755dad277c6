package report

import (
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// Digest is what the documents and figures need of results: the first
// experiments in full, and sums over all of them. A log of thousands of
// experiments is never held as a whole. The zero value is empty; it is not safe
// for concurrent use.
type Digest struct {
	*schemas.Results // Experiments holds the first few

	Meanings map[string]string // of the settings that some policies have of their own, by path; see param.Mechanisms
	Kinds    []param.Claim     // of claims, with what would pass them unseen

	experiments []schemas.Experiment
	count       int   // experiments in all
	read        int64 // rounds
	analysed    int64 // of these
	disclosed   int   // bookings
	rejected    int   // decisions of tests
	kept        int
	undecided   int
	tested      bool             // an experiment has tests
	seen        map[string]bool  // kinds and methods of tests, forms of errors and bounds: what methods must explain
	claimsOf    map[string][]int // indices of claims, by the id of one of the first experiments
}

// Add takes up the next experiment, in the order of the results.
func (d *Digest) Add(x *schemas.Experiment) {
	d.count++
	d.read += x.Data.RowsRead
	d.analysed += x.Data.RowsAnalysed
	d.disclosed += len(x.Disclosures)
	d.see(x)
	for i := range x.Tests {
		d.tested = true
		switch x.Tests[i].Decision {
		case schemas.DecisionRejected:
			d.rejected++
		case schemas.DecisionKept:
			d.kept++
		default:
			d.undecided++
		}
	}
	if len(d.experiments) < maxOverview {
		d.experiments = append(d.experiments, *x)
	}
}

// Finish takes up everything else. Of head the experiments are not looked at;
// head stays as it is.
func (d *Digest) Finish(head *schemas.Results) {
	whole := *head
	whole.Experiments = d.experiments
	d.Results = &whole
	d.claimsOf = make(map[string][]int, len(d.experiments))
	for i := range d.experiments {
		d.claimsOf[d.experiments[i].ID] = nil
	}
	for i := range whole.Claims {
		id := whole.Claims[i].Experiment
		if list, shown := d.claimsOf[id]; shown {
			d.claimsOf[id] = append(list, i)
		}
	}
}

// Count returns how many experiments there are in all.
func (d *Digest) Count() int { return d.count }

// ready reports whether there is anything to render.
func (d *Digest) ready() error {
	if d == nil || d.Results == nil {
		return errNoResults
	}
	return nil
}
