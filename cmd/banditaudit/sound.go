package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"banditaudit/analyze/fragment"
	"banditaudit/attest"
	"banditaudit/attest/compare"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/stored"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
	"banditaudit/schemas/resultsfile"
)

// unlike names every file that is not as checksums.txt lists it, and every document that
// is not what audit writes, whatever the checksums say of it. experiments says that those
// of results.json are looked at too, which takes longer than all else.
func (b *bundle) unlike(p *process, experiments bool) []attest.Change {
	out := b.changes()
	if experiments && b.fault == nil {
		b.readExperiments()
	}
	for _, c := range slices.Concat(b.readResults(), b.readManifest(), b.readEffective(p), b.readCommitment()) {
		if !slices.ContainsFunc(out, func(known attest.Change) bool { return known.Name == c.Name }) {
			out = append(out, c)
		}
	}
	return out
}

// misfit is a document that is not what audit writes.
func misfit(name, why string) []attest.Change {
	return []attest.Change{{Name: name, What: attest.Changed, Why: strings.ReplaceAll(why, "\n", " ")}}
}

// ours reports whether this version says that it wrote the bundle. What another one
// wrote may have another form.
func (b *bundle) ours() bool { return b.results != nil && b.results.Head.Tool == tool() }

// readExperiments looks at how the policy was replayed in each experiment.
func (b *bundle) readExperiments() {
	err := b.results.Experiments(func(x *schemas.Experiment) error {
		if b.fragments {
			b.ids = append(b.ids, x.ID)
		}
		b.seeded = b.seeded || x.Replay.Mode == schemas.ModeSeed
		program := x.Replay.Program
		b.refused = b.refused || program != nil && program.Failure != nil && program.Failure.Cause == conformance.NotAllowed
		return nil
	})
	if err != nil {
		b.fault = resultsError(err)
	}
}

// readResults judges results.json, which read has read.
func (b *bundle) readResults() []attest.Change {
	path := filepath.Join(b.dir, resultsFile)
	start, unread := readStart(path)
	m := writtenBy.FindSubmatch(start)
	switch {
	case b.fault == nil || errors.Is(b.fault, fault.ErrResource):
		return nil
	case unread == nil && m != nil && string(m[2]) != toolVersion && wholeJSON(path):
		return nil
	}
	return misfit(resultsFile, "it cannot be read: "+b.fault.Error())
}

// wholeJSON reports whether a file is one JSON document. It is read in pieces.
func wholeJSON(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	d := json.NewDecoder(bufio.NewReader(f))
	for depth, n := 0, 0; ; n++ {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return depth == 0 && n > 0
		}
		if err != nil {
			return false
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

// readManifest reads manifest.json, whose inputs are those of results.json.
func (b *bundle) readManifest() []attest.Change {
	path := filepath.Join(b.dir, stored.ManifestFile)
	var err error
	b.inputs, err = b.inputsOf(path)
	switch {
	case err != nil && (b.ours() || !wholeJSON(path)):
		return misfit(stored.ManifestFile, "it cannot be read: "+err.Error())
	case err == nil && b.results != nil && !slices.Equal(b.inputs, b.results.Head.Inputs):
		return misfit(stored.ManifestFile, "its inputs are not those of "+resultsFile)
	}
	return nil
}

// inputsOf are the files of a log that a manifest names: that of a tableau, or of
// fragments.
func (b *bundle) inputsOf(path string) ([]schemas.Input, error) {
	if !b.merged() {
		if err := checkDocument(path); err != nil {
			return nil, err
		}
		return resultsfile.Inputs(path, b.memory)
	}
	text, err := readDocument(path)
	if err != nil {
		return nil, err
	}
	m, err := fragment.DecodeManifest(text)
	return m.Inputs, err
}

// readEffective reads protocol.effective.yaml, which is the protocol of results.json.
func (b *bundle) readEffective(p *process) []attest.Change {
	text, err := readDocument(filepath.Join(b.dir, effectiveFile))
	var own []byte
	if err == nil {
		var doc *schemas.Document
		if doc, err = p.catalogue.Format().ParseProtocol(effectiveFile, text); err == nil {
			b.effective = &doc.Protocol
			own, err = doc.Effective()
		}
	}
	switch {
	case !b.ours():
		return nil
	case err != nil:
		return misfit(effectiveFile, "it cannot be read: "+err.Error())
	}
	if d := compare.JSON(bytes.NewReader(b.results.Head.Protocol), bytes.NewReader(own)); d != nil {
		return misfit(effectiveFile, fmt.Sprintf("it is not the protocol of %s, which has %s at %s, where it has %s", resultsFile, d.A, cmp.Or(d.At, "/"), d.B))
	}
	return nil
}

// readCommitment judges commitment.dsse.json by the digest in results.json.
func (b *bundle) readCommitment() []attest.Change {
	if b.results == nil {
		return nil
	}
	text, err := readDocument(filepath.Join(b.dir, commitmentFile))
	c := b.results.Head.Commitment
	switch {
	case c == nil && err == nil:
		return misfit(commitmentFile, resultsFile+" names no commitment")
	case c != nil && (err != nil || sum(text) != c.SHA256):
		return misfit(commitmentFile, "it is not the one that "+resultsFile+" names")
	}
	return nil
}

// logs holds the files of a log against those that the manifest names.
func (b *bundle) logs(ctx context.Context, operands []string) ([]differing, error) {
	sources, err := files.Discover(ctx, operands)
	if err != nil {
		return nil, err
	}
	if b.inputs == nil {
		return nil, &notAgainError{stored.ManifestFile + " cannot be read"}
	}
	out, left := []differing{}, map[string]string{}
	for _, in := range b.inputs {
		left[in.URI] = in.SHA256
	}
	for i := range sources {
		sum, err := digestOfFile(ctx, sources[i].Path)
		if err != nil {
			return nil, &inputError{err}
		}
		want, known := left[sources[i].URI]
		switch {
		case !known:
			out = append(out, differing{theLog, sources[i].URI, b.elsewhere(sum), "SHA-256 " + sum})
		case want != sum:
			out = append(out, differing{theLog, sources[i].URI, "SHA-256 " + want, "SHA-256 " + sum})
		}
		delete(left, sources[i].URI)
	}
	for _, in := range b.inputs {
		if _, ok := left[in.URI]; ok {
			out = append(out, differing{theLog, in.URI, "SHA-256 " + in.SHA256, compareNothing})
		}
	}
	return out, nil
}

// elsewhere is what a bundle has of a file of a log whose name it has not: nothing, or the
// content under another name.
func (b *bundle) elsewhere(sum string) string {
	for _, in := range b.inputs {
		if in.SHA256 == sum {
			return "that content under the name " + schemas.Printable(in.URI) + " (give the log as it was given to the audit)"
		}
	}
	return compareNothing
}

// digestOfFile is the SHA-256 of a file of a log.
func digestOfFile(ctx context.Context, path string) (sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	_, err = io.Copy(h, &stoppable{ctx, f})
	return hex.EncodeToString(h.Sum(nil)), err
}

// stoppable is a reader that ends with its context.
type stoppable struct {
	ctx context.Context //nolint:containedctx // a reader has no other way to know
	r   io.Reader
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}
