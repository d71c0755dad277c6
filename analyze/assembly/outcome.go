package assembly

import "banditaudit/schemas"

// Outcome is everything found in one experiment.
type Outcome struct {
	Experiment schemas.Experiment
	Claims     []schemas.Finding
	Status     map[string]string // of the assumptions A1–A8, by id
	Remarks    map[string]string // beside the assumptions, by id; the same of every experiment of a log
	Evidence   string            // mode of the replay; "" where none was run
	Family     *Family           // of its declared tests; nil where there are none
	Horizon    int64             // of the declared counter, where the end is declared to be fixed; else 0
	Rows       uint64            // what the rows are known again by in another experiment; 0 where they are not
	Drawn      bool              // the ledger rests on the policy's own draws, without noise
}
