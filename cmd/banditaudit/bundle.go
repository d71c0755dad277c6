package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"banditaudit/attest"
	"banditaudit/report"
	"banditaudit/report/exchange"
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
	if c := pl.s.commitment; c != nil {
		if err := dir.write(commitmentFile, c.text); err != nil {
			return err
		}
	}
	if err := render(ctx, dir, digest, map[string]bool{"html": true, "md": true}); err != nil {
		return err
	}
	if err := renderOne(dir, junitFile, digest, func(w io.Writer, d *report.Digest) error { return exchange.JUnit(w, d.Results) }); err != nil {
		return err
	}
	run.lap("report")
	if pl.s.openLineage {
		if err := encodeTo(dir, lineageFile, exchange.OpenLineage(digest.Results, run.p.now().UTC().Format(time.RFC3339Nano), dir.final)); err != nil {
			return err
		}
	}
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
	found, _, err := filesOf(os.DirFS(dir.temp))
	if err != nil {
		return notWritten(err)
	}
	return dir.write(checksumsFile, attest.Checksums(found))
}

// filesOf are the files that the checksums of a bundle list: all but the list and the
// mark of success. odd is what no bundle has: links, pipes, and directories without files.
func filesOf(files fs.FS) (found []attest.Entry, odd []attest.Change, err error) {
	var dirs []string
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || name == "." || name == checksumsFile || name == successFile:
			return err
		case entry.IsDir():
			dirs = append(dirs, name)
			return nil
		case !entry.Type().IsRegular():
			odd = append(odd, attest.Change{Name: name, What: attest.Added, Why: "it is no regular file"})
			return nil
		}
		sum, err := digestOf(files, name)
		found = append(found, attest.Entry{Name: name, SHA256: sum})
		return err
	})
	for _, dir := range dirs {
		if !slices.ContainsFunc(found, func(f attest.Entry) bool { return strings.HasPrefix(f.Name, dir+"/") }) {
			odd = append(odd, attest.Change{Name: dir, What: attest.Added, Why: "it is a directory without files"})
		}
	}
	return found, odd, err
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
