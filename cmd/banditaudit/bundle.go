package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"banditaudit/report"
	"banditaudit/schemas"
)

// writeBundle writes everything but the manifest, which stands there already.
// _SUCCESS is last.
func (pl *pipeline) writeBundle(ctx context.Context, dir *outputDir, results *schemas.Results, run *runRecord) error {
	if err := writeResults(dir.path("results.json"), results); err != nil {
		return err
	}
	effective, err := pl.doc.EffectiveYAML()
	if err != nil {
		return err
	}
	if err := dir.write("protocol.effective.yaml", effective); err != nil {
		return err
	}
	if err := render(ctx, dir, results, allFormats()); err != nil {
		return err
	}
	run.lap("report")
	code := exitCode(nil, gate(results.Overall, pl.s.failOn)) //nolint:staticcheck // a gate needs no context
	if err := encodeTo(dir, "run.json", run.document(code, results.Overall)); err != nil {
		return err
	}
	if err := writeChecksums(dir); err != nil {
		return err
	}
	return dir.write("_SUCCESS", nil)
}

// maxValidated bounds the results that are checked against their schema before
// they are written. The check takes many times their size in memory; what it
// finds in thousands of experiments it finds in a few.
const maxValidated = 16 << 20

// writeResults checks the results against their schema before they are
// written: what does not meet it is a defect, never a file.
func writeResults(path string, results *schemas.Results) error {
	b, err := schemas.Encode(results)
	if err == nil && len(b) <= maxValidated {
		err = schemas.ValidateResults(b)
	}
	if err != nil {
		return &panicError{value: fmt.Errorf("results do not meet their schema: %w", err)}
	}
	return writeFile(path, b, true)
}

func allFormats() map[string]bool {
	return map[string]bool{"html": true, "md": true, "parquet": true}
}

// render writes the report in the chosen formats, with its figures.
func render(ctx context.Context, dir *outputDir, results *schemas.Results, formats map[string]bool) error {
	for _, part := range []struct {
		wanted bool
		write  func() error
	}{
		{formats["html"], func() error { return renderOne(dir, "report.html", results, report.HTML) }},
		{formats["md"], func() error { return renderOne(dir, "report.md", results, report.Markdown) }},
		{formats["html"] || formats["md"], func() error { return writeFiles(dir, results, report.Figures) }},
		{formats["csv"], func() error { return writeFiles(dir, results, report.CSV) }},
		{formats["parquet"], func() error { return writeFiles(dir, results, report.Tables) }},
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

// writeChecksums writes checksums.txt in the form that `sha256sum -c` reads.
func writeChecksums(dir *outputDir) error {
	var lines strings.Builder
	files := os.DirFS(dir.temp)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		sum := sha256.Sum256(data)
		fmt.Fprintf(&lines, "%s  %s\n", hex.EncodeToString(sum[:]), name)
		return err
	})
	if err != nil {
		return notWritten(err)
	}
	return dir.write("checksums.txt", []byte(lines.String()))
}
