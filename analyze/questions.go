package analyze

import (
	"context"

	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/regression"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/schemas"
)

// questions is what the protocol asks of a log whose public columns are known.
type questions struct {
	facts    *publiclog.Facts
	protocol *schemas.Protocol

	tests    []onesample.Test // raw tests that there are
	declared []declaredTest   // one for each question, in the order of the protocol
}

// readQuestions refuses what the log cannot answer, reads the public columns, and
// turns the declared tests into one per question.
func readQuestions(ctx context.Context, in *Input) (*questions, error) {
	if err := publiclog.CheckLabels(&in.Log); err != nil {
		return nil, err
	}
	if err := regression.Check(&in.Log); err != nil {
		return nil, err
	}
	f, err := publiclog.Read(ctx, &in.Log)
	if err != nil {
		return nil, err
	}
	q := &questions{facts: f, protocol: f.Protocol, tests: in.Catalogue.Tests}
	q.declared = q.expand()
	return q, nil
}

// rowsRead are the rows that the declared tests read.
func (q *questions) rowsRead() []corrections.Rows {
	out := make([]corrections.Rows, len(q.declared))
	for i := range q.declared {
		out[i] = q.declared[i].rows
	}
	return out
}
