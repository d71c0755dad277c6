package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"banditaudit/report"
	"banditaudit/schemas"
)

// writeBundle writes everything but manifest, results and tables, which stand
// there already. _SUCCESS is last.
func (pl *pipeline) writeBundle(ctx context.Context, dir *outputDir, digest *report.Digest, run *runRecord) error {
	effective, err := pl.doc.EffectiveYAML()
	if err != nil {
		return err
	}
	if err := dir.write(effectiveFile, effective); err != nil {
		return err
	}
	if err := render(ctx, dir, digest, map[string]bool{"html": true, "md": true}); err != nil {
		return err
	}
	run.lap("report")
	code := exitCode(nil, gate(schemas.OverallOf(digest.Claims, digest.Cautions), pl.s.failOn)) //nolint:staticcheck // a gate needs no context
	if err := encodeTo(dir, runFile, run.document(code, digest.Overall)); err != nil {
		return err
	}
	if err := writeChecksums(dir); err != nil {
		return err
	}
	return dir.write(successFile, nil)
}

// render writes the documents of the report in the chosen formats, with their
// figures.
func render(ctx context.Context, dir *outputDir, digest *report.Digest, formats map[string]bool) error {
	for _, part := range []struct {
		wanted bool
		write  func() error
	}{
		{formats["html"], func() error { return renderOne(dir, htmlFile, digest, report.HTML) }},
		{formats["md"], func() error { return renderOne(dir, markdownFile, digest, report.Markdown) }},
		{formats["html"] || formats["md"], func() error { return writeFigures(dir, digest) }},
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
		sum, err := digestOf(files, name)
		fmt.Fprintf(&lines, "%s  %s\n", sum, name)
		return err
	})
	if err != nil {
		return notWritten(err)
	}
	return dir.write(checksumsFile, []byte(lines.String()))
}

// digestOf is the SHA-256 of a file, which is read in pieces.
func digestOf(files fs.FS, name string) (sum string, err error) {
	f, err := files.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}
