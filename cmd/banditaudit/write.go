package main

import (
	"context"
	"time"

	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/report"
	"banditaudit/report/digest"
	"banditaudit/report/exchange"
)

// writeBundle writes everything but manifest, results and tables, which stand
// there already. _SUCCESS is last.
func (pl *pipeline) writeBundle(ctx context.Context, dir *kit.OutputDir, d *digest.Digest, run *runRecord) error {
	effective, err := pl.doc.EffectiveYAML()
	if err != nil {
		return err
	}
	if err := dir.Write(kit.EffectiveFile, effective); err != nil {
		return err
	}
	if c := pl.s.commitment; c != nil {
		if err := dir.Write(kit.CommitmentFile, c.Text); err != nil {
			return err
		}
	}
	if err := render(ctx, dir, d, map[string]bool{"html": true, "md": true}); err != nil {
		return err
	}
	run.lap("report")
	if pl.s.openLineage {
		if err := encodeTo(dir, kit.LineageFile, exchange.OpenLineage(d.Results, pl.asserted, run.p.Now().UTC().Format(time.RFC3339Nano), dir.Final)); err != nil {
			return err
		}
	}
	code := kit.ExitCode(nil, gate(d.Outcome(), pl.s.failOn)) //nolint:staticcheck // a gate needs no context
	if err := encodeTo(dir, kit.RunFile, run.document(code, d.Overall)); err != nil {
		return err
	}
	if err := bundle.WriteChecksums(dir); err != nil {
		return err
	}
	return dir.Write(kit.SuccessFile, nil)
}

// render writes the documents of the report in the chosen formats, with their
// figures.
func render(ctx context.Context, dir *kit.OutputDir, d *digest.Digest, formats map[string]bool) error {
	for _, part := range []struct {
		wanted bool
		write  func() error
	}{
		{formats["html"], func() error { return renderOne(dir, kit.HTMLFile, d, report.HTML) }},
		{formats["md"], func() error { return renderOne(dir, kit.MarkdownFile, d, report.Markdown) }},
		{formats["html"] || formats["md"], func() error { return writeFigures(dir, d) }},
	} {
		if !part.wanted {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := part.write(); err != nil {
			return err
		}
	}
	return ctx.Err()
}
