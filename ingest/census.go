package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// Census counts files of a log: of each what the manifest has of it, and the ids of the
// experiments of all, in their order. It reads no column but the column of experiments.
// Files without rows are counted too. Errors are as of Ingest.
func Census(ctx context.Context, p *schemas.Protocol, src []files.Source, o Options) (*schemas.Census, error) {
	roles := slices.DeleteFunc(slices.Clone(o.roles()), func(c role.Column) bool { return c.Role != role.Experiment })
	faults := &fault.List{At: o.At}
	l, err := newLogFiles(p, roles, o.Budget(), faults)
	if err != nil {
		return nil, err
	}
	if err = l.ask(p, o.roles()); err != nil {
		return nil, err
	}
	if err = l.openLog(ctx, src); err != nil {
		return nil, err
	}
	if faults.Any() {
		return nil, faults.Err()
	}
	l.jobs = o.Jobs
	if err = l.digest(func() error { return fault.Stopped(ctx) }); err != nil {
		return nil, err
	}
	first := &firstPass{log: l, experiments: cell.NewLabels(nil)}
	done := int64(0)
	scan := scanner{log: l, ask: func(*role.Want) bool { return true }, progress: func(rows int64) {
		if done += rows; o.Progress != nil {
			o.Progress(done, l.rows)
		}
	}}
	err = scan.scan(ctx, func(r *rows) error {
		for i := 0; i < r.n && first.full == nil; i++ {
			first.experiment(r, i)
		}
		return first.exhausted(r)
	})
	if err != nil {
		return nil, err
	}
	l.copies()
	l.unchanged()
	ids := cell.SortedLabels(first.experiments.Names)
	return &schemas.Census{Schema: schemas.CensusSchema, Experiments: len(ids), IDs: ids, Inputs: l.manifest()}, faults.Err()
}

// Join is the census of several parts of a log. An input that is in two of them, and one
// without the ids of its experiments, is an error: its experiments cannot be added up. Two
// inputs with rows and equal bytes, under the same partitions, are an *InputError.
func Join(parts []*schemas.Census) (*schemas.Census, error) {
	out := &schemas.Census{Schema: schemas.CensusSchema}
	seen := map[string]bool{}
	for _, c := range parts {
		if len(c.IDs) != c.Experiments {
			return nil, errors.New("a census without the ids of its experiments cannot be merged: an experiment may lie in several files")
		}
		for _, id := range c.IDs {
			if !seen[id] {
				seen[id] = true
				out.IDs = append(out.IDs, id)
			}
		}
		out.Inputs = append(out.Inputs, c.Inputs...)
	}
	slices.SortFunc(out.IDs, cell.LabelOrder(out.IDs))
	slices.SortStableFunc(out.Inputs, func(a, b schemas.Input) int { return strings.Compare(a.URI, b.URI) })
	for i := 1; i < len(out.Inputs); i++ {
		if out.Inputs[i].URI == out.Inputs[i-1].URI {
			if out.Inputs[i] == out.Inputs[i-1] {
				return nil, fmt.Errorf("%s is there twice, with the same content: give every file and every census once; where it is two files, give --root with the directory above all", schemas.Quoted(out.Inputs[i].URI))
			}
			return nil, fmt.Errorf("two files are named %s; give --root with the directory above all files", schemas.Quoted(out.Inputs[i].URI))
		}
	}
	out.Experiments = len(out.IDs)
	return out, joinedCopy(out.Inputs)
}

// ByID compares ids of the experiments of a log in the order of a manifest: as numbers if
// all are whole numbers, else byte by byte.
func ByID(ids []string) func(a, b string) int { return cell.LabelOrder(ids) }
