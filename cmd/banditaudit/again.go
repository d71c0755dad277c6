package main

import (
	"bufio"
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
	"runtime"
	"slices"

	"banditaudit/attest"
	"banditaudit/attest/compare"
	"banditaudit/cmd/banditaudit/partial"
	"banditaudit/ingest/files"
	"banditaudit/ingest/stored"
	"banditaudit/schemas"
)

// differing is a file that came out otherwise, or a file of the log that is not the one
// that was read.
type differing struct {
	File string `json:"file"`
	At   string `json:"at"`
	Had  string `json:"bundle"`
	Has  string `json:"again"`
}

func (d *differing) words() string {
	return fmt.Sprintf("%s differs at %s: the bundle has %s, made again it has %s", schemas.Printable(d.File), d.At, d.Had, d.Has)
}

// notAgainError says why an audit cannot be made again; that is no fault of the bundle's.
type notAgainError struct{ reason string }

func (e *notAgainError) Error() string { return e.reason }

// again makes an audit again from the log and compares every file of the bundle.
func (b *bundle) again(ctx context.Context, p *process, s *settings, logs []string) (recomputed, error) {
	out := recomputed{Differences: []differing{}}
	inner, err := b.settings(s)
	if err == nil {
		if out.Differences, err = b.logs(ctx, logs); err == nil && len(out.Differences) == 0 {
			err = b.compare(ctx, p, inner, logs, &out)
		}
	}
	if left, ok := errors.AsType[*notAgainError](err); ok {
		out.State, out.Reason = string(schemas.NotRun), left.reason
		return out, nil
	}
	out.State = equal
	// Without its seed the audit may differ for that alone.
	if len(out.Differences) > 0 && out.Files > 0 && s.protocol == "" && b.sealed() {
		out.State, out.Reason = string(schemas.NotRun), "made again without the seed, "+out.Differences[0].words()+"; give -p with the protocol that names the seed"
		out.Differences = []differing{}
		return out, err
	}
	if len(out.Differences) > 0 {
		out.State = different
	}
	return out, err
}

// settings are those of an audit that makes the bundle again.
func (b *bundle) settings(s *settings) (*settings, error) {
	if b.fault != nil {
		return nil, &notAgainError{"results.json cannot be read: " + b.fault.Error()}
	}
	if err := b.sameProgram(); err != nil {
		return nil, err
	}
	inner := *s
	inner.json, inner.quiet, inner.keepTableau, inner.failOn = false, true, "", "never"
	inner.protocol, inner.force = cmp.Or(s.protocol, filepath.Join(b.dir, effectiveFile)), false
	if c := b.results.Head.Commitment; c != nil {
		var err error
		if inner.commitment, err = readCommitment(filepath.Join(b.dir, commitmentFile), ""); err != nil {
			return nil, &notAgainError{"the commitment in the bundle cannot be read: " + err.Error()}
		}
		if inner.commitment.key, err = hex.DecodeString(c.PublicKey); err != nil || c.PublicKey == "" {
			inner.commitment.key = nil
		}
	}
	mode, err := b.mode()
	if err != nil {
		return nil, &notAgainError{"results.json cannot be read: " + err.Error()}
	}
	switch {
	case mode == schemas.ModeSeed && s.protocol == "" && b.sealed():
		return nil, &notAgainError{"the policy was run with its seed, of which the bundle holds the SHA-256 alone; give -p with the protocol that names the seed"}
	case mode == schemas.ModeExec && s.protocol == "":
		return nil, &notAgainError{"the policy is a program, which the bundle does not hold; give -p with the protocol beside which it stands, and --allow-exec"}
	case mode == schemas.ModeExec && !s.allowExec && b.ran():
		return nil, &notAgainError{"the policy is a program, and --allow-exec is not given"}
	}
	return &inner, nil
}

// sameProgram refuses to compare with what another version, or another machine, wrote.
func (b *bundle) sameProgram() error {
	text, err := readDocument(filepath.Join(b.dir, runFile))
	var run struct {
		Build build `json:"build"`
	}
	if err != nil || json.Unmarshal(text, &run) != nil {
		return &notAgainError{"run.json, which names the program and the platform, cannot be read"}
	}
	had, has := run.Build, thisBuild()
	if had.Version != has.Version || b.results.Head.Tool != tool() {
		return &notAgainError{fmt.Sprintf("the bundle was made by version %s, this is %s; only the same version promises the same bytes", schemas.Printable(b.results.Head.Tool.Version), has.Version)}
	}
	if had.OS != runtime.GOOS || had.Arch != runtime.GOARCH {
		return &notAgainError{fmt.Sprintf("the bundle was made on %s/%s, this is %s/%s; only the same platform promises the same bytes", schemas.Printable(had.OS), schemas.Printable(had.Arch), runtime.GOOS, runtime.GOARCH)}
	}
	return nil
}

// errFound ends a reading early.
var errFound = errors.New("found")

// mode is the first kind of replay among those that need what the bundle does not hold,
// or "".
func (b *bundle) mode() (mode string, err error) {
	err = b.results.Experiments(func(x *schemas.Experiment) error {
		if x.Replay.Mode != schemas.ModeSeed && x.Replay.Mode != schemas.ModeExec {
			return nil
		}
		mode = x.Replay.Mode
		return errFound
	})
	if errors.Is(err, errFound) {
		err = nil
	}
	return mode, err
}

// ran reports whether the audit ran the policy's program, as far as the verdicts say.
func (b *bundle) ran() bool {
	return slices.ContainsFunc(b.results.Head.Claims, func(f schemas.Finding) bool {
		return f.Kind == schemas.KindConformance && f.Verdict != schemas.NotRun
	})
}

// sealed reports whether the effective protocol holds the digest of a seed.
func (b *bundle) sealed() bool {
	var p struct {
		Policy *struct {
			Seed *struct{} `json:"seed"`
		} `json:"policy"`
	}
	return json.Unmarshal(b.results.Head.Protocol, &p) == nil && p.Policy != nil && p.Policy.Seed != nil
}

// logs holds the files of a log against those that the results name.
func (b *bundle) logs(ctx context.Context, operands []string) ([]differing, error) {
	sources, err := files.Discover(ctx, operands)
	if err != nil {
		return nil, err
	}
	out, left := []differing{}, map[string]string{}
	for _, in := range b.results.Head.Inputs {
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
			out = append(out, differing{"the log", sources[i].URI, b.elsewhere(sum), "SHA-256 " + sum})
		case want != sum:
			out = append(out, differing{"the log", sources[i].URI, "SHA-256 " + want, "SHA-256 " + sum})
		}
		delete(left, sources[i].URI)
	}
	for _, in := range b.results.Head.Inputs {
		if _, ok := left[in.URI]; ok {
			out = append(out, differing{"the log", in.URI, "SHA-256 " + in.SHA256, compareNothing})
		}
	}
	return out, nil
}

// elsewhere is what a bundle has of a file of a log whose name it has not: nothing, or the
// content under another name.
func (b *bundle) elsewhere(sum string) string {
	for _, in := range b.results.Head.Inputs {
		if in.SHA256 == sum {
			return "that content under the name " + schemas.Printable(in.URI) + " (give the log as it was given to the audit)"
		}
	}
	return compareNothing
}

// compareNothing stands where one side has nothing.
const compareNothing = "nothing"

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

// againPrefix begins the names of places where audits are made again.
const againPrefix = "banditaudit-again-"

// compare makes the audit in a temporary place.
func (b *bundle) compare(ctx context.Context, p *process, s *settings, logs []string, out *recomputed) (err error) {
	temp, err := partial.Make(os.TempDir(), againPrefix, 0o700)
	if err != nil {
		return notWritten(err)
	}
	defer func() { err = errors.Join(err, temp.Remove()) }()
	s.out = filepath.Join(temp.Path, "again")
	if _, err = auditInto(ctx, p, s, logs, startRun(p, s)); err != nil {
		return err
	}
	made, _, err := filesOf(os.DirFS(s.out))
	if err != nil {
		return err
	}
	made = slices.DeleteFunc(made, func(f attest.Entry) bool { return slices.Contains(volatileFiles(), f.Name) })
	out.Files = len(made)
	out.Differences, err = b.against(s.out, made)
	return err
}

// against names the files of a bundle that are not those that were made again,
// results.json first.
func (b *bundle) against(dir string, made []attest.Entry) ([]differing, error) {
	left := map[string]string{}
	for _, f := range made {
		left[f.Name] = f.SHA256
	}
	out := []differing{}
	order := slices.Clone(b.files)
	slices.SortStableFunc(order, func(x, y attest.Entry) int { return rank(x.Name) - rank(y.Name) })
	for _, f := range order {
		sum, ok := left[f.Name]
		delete(left, f.Name)
		if slices.Contains(volatileFiles(), f.Name) || sum == f.SHA256 {
			continue
		}
		d := differing{f.Name, "the file", "one", compareNothing}
		if ok {
			var err error
			if d, err = place(f.Name, filepath.Join(b.dir, f.Name), filepath.Join(dir, f.Name)); err != nil {
				return nil, err
			}
		}
		out = append(out, d)
	}
	for _, f := range made {
		if _, ok := left[f.Name]; ok {
			out = append(out, differing{f.Name, "the file", compareNothing, "one"})
		}
	}
	return out, nil
}

// rank puts what all else follows from first.
func rank(name string) int {
	if i := slices.Index([]string{effectiveFile, stored.ManifestFile, resultsFile}, name); i >= 0 {
		return 2 - i
	}
	return 3
}

// placeJSON is the first value in which two documents differ; nil where none does.
func placeJSON(had, has string) (d *compare.Difference, err error) {
	a, err := os.Open(had)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	b, err := os.Open(has)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return compare.JSON(bufio.NewReader(a), bufio.NewReader(b)), nil
}

// place is where two files differ. JSON is compared in pieces, for results can be large.
func place(name, had, has string) (differing, error) {
	if filepath.Ext(name) == ".json" {
		d, err := placeJSON(had, has)
		if err != nil {
			return differing{}, err
		}
		if d != nil {
			return differing{name, d.At, d.A, d.B}, nil
		}
	}
	a, err := readDocument(had)
	if err != nil {
		return differing{}, err
	}
	b, err := readDocument(has)
	if err != nil {
		return differing{}, err
	}
	d := compare.First(name, a, b)
	if d == nil { // changed while it was read
		return differing{name, "the file", "another content before", "the same now"}, nil
	}
	return differing{name, d.At, d.A, d.B}, nil
}
