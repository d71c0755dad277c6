package bundle

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
	"strconv"
	"strings"
	"time"

	"banditaudit/analyze/decide/shard"
	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/cmd/banditaudit/attest/compare"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/tableaudir"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
	"banditaudit/schemas/resultsfile"
)

// unread is a document of a bundle that could not be judged: nothing is known of it.
type unread struct {
	Name string `json:"name"`
	Why  string `json:"why"`

	limit bool // it would take more memory than is allowed
}

// Unlike names every file that is not as checksums.txt lists it, and every document that
// is not what audit writes, whatever the checksums say of it. Documents that could not be
// judged are kept in b.unread.
func (b *Dir) Unlike() []attest.Change {
	out := b.Changes()
	b.readExperiments()
	for _, c := range slices.Concat(b.readResults(), b.readManifest(), b.readEffective(), b.readRun(), b.readCommitment()) {
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

// unreadable is a document that cannot be read for a reason: a misfit, unless it was too
// large for the memory that is allowed, or another version wrote it in a form of its own.
func (b *Dir) unreadable(name string, foreign bool, why error) []attest.Change {
	limit := errors.Is(why, fault.ErrResource)
	if !limit && !foreign {
		return misfit(name, "it cannot be read: "+why.Error())
	}
	text := why.Error()
	if !limit {
		text = "another version wrote the bundle, and this version cannot read it: " + text
	}
	b.unread = append(b.unread, unread{name, strings.ReplaceAll(text, "\n", " "), limit})
	return nil
}

// ours reports whether this version says that it wrote the bundle. What another one
// wrote may have another form.
func (b *Dir) ours() bool {
	if b.results != nil {
		return b.results.Head.Tool == Tool()
	}
	m := b.writtenBy()
	return m == "" || m == kit.Version
}

// writtenBy is the version that results.json names in its first bytes; "" where it names
// none.
func (b *Dir) writtenBy() string {
	start, err := kit.ReadStart(filepath.Join(b.Dir, kit.ResultsFile))
	if m := writtenBy.FindSubmatch(start); err == nil && m != nil {
		return string(m[2])
	}
	return ""
}

// document reads a document of the bundle whole, within the memory that is allowed.
func (b *Dir) document(name string) ([]byte, error) {
	path := filepath.Join(b.Dir, name)
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > b.memory/documentFactor {
		return nil, fmt.Errorf("%w: %s has %d bytes; raise --max-memory", fault.ErrResource, path, info.Size())
	}
	return kit.ReadDocument(path)
}

// documentFactor is how many times its size a document takes while it is judged.
const documentFactor = 16

// readExperiments judges every experiment by the form of results.json, looks at how the
// policy was replayed in each.
func (b *Dir) readExperiments() {
	if b.Fault != nil {
		return
	}
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
		b.Fault, b.audit = ResultsError(err), outcome{}
	}
}

// readResults judges results.json, which read and readExperiments have read.
func (b *Dir) readResults() []attest.Change {
	if b.Fault != nil {
		foreign := b.writtenBy() != "" && b.writtenBy() != kit.Version && wholeJSON(filepath.Join(b.Dir, kit.ResultsFile))
		return b.unreadable(kit.ResultsFile, foreign, b.Fault)
	}
	if !b.judged {
		return misfit(kit.ResultsFile, "it has no claim "+schemas.KindDataQuality+", which every audit makes")
	}
	if why := b.sums.contradicts(b.results.Head); why != "" {
		return misfit(kit.ResultsFile, why)
	}
	return nil
}

// sums are the claims of results.json added up.
type sums schemas.Overall

// contradicts says where the first lines of results.json are not what its claims come to;
// "" where they are.
func (s sums) contradicts(head *schemas.Results) string {
	claims, cautions, _ := strings.Cut(head.Overall, ", ")
	number, _, _ := strings.Cut(cautions, " ")
	switch counted, err := strconv.Atoi(cmp.Or(number, "0")); {
	case claims != schemas.Overall(s).String():
		return fmt.Sprintf("/overall is %q, and its claims come to %q", head.Overall, schemas.Overall(s).String())
	case err != nil || counted != head.Cautions:
		return fmt.Sprintf("/overall is %q, and /cautions is %d", head.Overall, head.Cautions)
	}
	return ""
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

// readManifest reads manifest.json, whose inputs have to equal the inputs of results.json.
func (b *Dir) readManifest() []attest.Change {
	path := filepath.Join(b.Dir, tableaudir.ManifestFile)
	var err error
	b.inputs, err = b.inputsOf(path)
	switch {
	case err != nil:
		return b.unreadable(tableaudir.ManifestFile, !b.ours() && wholeJSON(path), err)
	case b.results != nil && !slices.Equal(b.inputs, b.results.Head.Inputs):
		return misfit(tableaudir.ManifestFile, "its inputs are not those of "+kit.ResultsFile)
	}
	return nil
}

// inputsOf returns the files of a log that a manifest names: the manifest of a tableau, or
// of fragments.
func (b *Dir) inputsOf(path string) ([]schemas.Input, error) {
	if !b.merged() {
		if err := kit.CheckDocument(path); err != nil {
			return nil, err
		}
		inputs, err := resultsfile.Inputs(path, b.memory)
		if errors.Is(err, resultsfile.ErrTooLarge) {
			err = ResultsError(err)
		}
		return inputs, err
	}
	text, err := b.document(tableaudir.ManifestFile)
	if err != nil {
		return nil, err
	}
	m, err := shard.DecodeManifest(text)
	return m.Inputs, err
}

// readEffective reads protocol.effective.yaml, which is the protocol of results.json.
func (b *Dir) readEffective() []attest.Change {
	text, err := b.document(kit.EffectiveFile)
	var own []byte
	if err == nil {
		var doc *schemas.Document
		if doc, err = b.Format.ParseProtocol(kit.EffectiveFile, text); err == nil {
			b.effective = &doc.Protocol
			own, err = doc.Effective()
		}
	}
	if err != nil {
		return b.unreadable(kit.EffectiveFile, !b.ours(), err)
	}
	if b.results == nil {
		return nil
	}
	if d := b.differs(own); d != nil {
		return misfit(kit.EffectiveFile, fmt.Sprintf("it is not the protocol of %s, which has %s at %s, where it has %s", kit.ResultsFile, d.A, cmp.Or(d.At, "/"), d.B))
	}
	return nil
}

// differs is where the protocol of results.json is not own; nil where it is. What another
// version wrote is compared as this version reads it, so that keys which that version did
// not have are their defaults in both.
func (b *Dir) differs(own []byte) *compare.Difference {
	had := []byte(b.results.Head.Protocol)
	if !b.ours() {
		if doc, err := b.Format.ParseProtocol(kit.ResultsFile, had); err == nil {
			if text, err := doc.Effective(); err == nil {
				had = text
			}
		}
	}
	return compare.JSON(bytes.NewReader(had), bytes.NewReader(own))
}

// readRun judges run.json by its form: one of this version is written as this version
// writes what it says.
func (b *Dir) readRun() []attest.Change {
	var run RunDocument
	text, err := b.document(kit.RunFile)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err = d.Decode(&run); err == nil && run.Schema != RunSchema {
			err = fmt.Errorf("/schema is %q, must be %q", run.Schema, RunSchema)
		}
		if _, after := d.Token(); err == nil && !errors.Is(after, io.EOF) {
			err = fmt.Errorf("something follows the document at byte %d", d.InputOffset())
		}
	}
	if err == nil && b.ours() {
		err = run.fits(text)
	}
	if of := b.results; err == nil && of != nil && run.Reason != of.Head.Overall {
		err = fmt.Errorf("/reason is not /overall of %s", kit.ResultsFile)
	}
	if err != nil {
		return b.unreadable(kit.RunFile, !b.ours() && wholeJSON(filepath.Join(b.Dir, kit.RunFile)), err)
	}
	return nil
}

// fits says what in run.json is not as a run writes it, or cannot be: text is what was read.
func (d *RunDocument) fits(text []byte) error {
	own, err := schemas.Encode(d)
	if err != nil {
		return err
	}
	if !bytes.Equal(own, text) {
		return errors.New("it has not the keys and values that a run writes, each once")
	}
	_, began := time.Parse(time.RFC3339Nano, d.StartedAt)
	_, ended := time.Parse(time.RFC3339Nano, d.EndedAt)
	switch {
	case began != nil || ended != nil:
		return errors.Join(began, ended)
	case d.Rows < 0:
		return fmt.Errorf("/rows is %d, must be at least 0", d.Rows)
	case !slices.Contains([]int{kit.ExitOK, kit.ExitExceptions, kit.ExitIncomplete}, d.ExitCode):
		return fmt.Errorf("/exit_code is %d, with which no run leaves a bundle", d.ExitCode)
	}
	return nil
}

// readCommitment judges commitment.dsse.json by the digest in results.json.
func (b *Dir) readCommitment() []attest.Change {
	if b.results == nil {
		return nil
	}
	text, err := b.document(kit.CommitmentFile)
	c := b.results.Head.Commitment
	switch {
	case errors.Is(err, fault.ErrResource):
		return b.unreadable(kit.CommitmentFile, false, err)
	case c == nil && err == nil:
		return misfit(kit.CommitmentFile, kit.ResultsFile+" names no commitment")
	case c != nil && (err != nil || Sum(text) != c.SHA256):
		return misfit(kit.CommitmentFile, "it is not the one that "+kit.ResultsFile+" names")
	}
	return nil
}

// logs holds the files of a log against those that the manifest names.
func (b *Dir) logs(ctx context.Context, operands []string) ([]differing, error) {
	sources, err := files.Discover(ctx, operands)
	if err != nil {
		return nil, err
	}
	if b.inputs == nil {
		return nil, &notAgainError{tableaudir.ManifestFile + " cannot be read"}
	}
	out, left := []differing{}, map[string]string{}
	for _, in := range b.inputs {
		left[in.URI] = in.SHA256
	}
	for i := range sources {
		sum, err := digestOfFile(ctx, sources[i].Path)
		if err != nil {
			return nil, kit.BadInput(err)
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
func (b *Dir) elsewhere(sum string) string {
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
