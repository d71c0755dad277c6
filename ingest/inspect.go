package ingest

import (
	"context"

	"banditaudit/schemas"
)

// Inspect says what each column that the protocol names is in the log, from
// the files' footers alone: no row is read. All problems are reported at once,
// as *InputError, and the columns that could be found are returned beside
// them. Errors are as of Ingest.
func Inspect(ctx context.Context, p *schemas.Protocol, src []Source) ([]schemas.ColumnInfo, error) {
	f := &faults{}
	l, err := openLog(ctx, p, src, new(Options).budget(), f)
	if err != nil {
		return nil, err
	}
	return l.infos(), f.err()
}
