package bundle

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"banditaudit/analyze/decide/shard"
	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/cmd/banditaudit/attest/compare"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/atomicdir"
	"banditaudit/ingest/tableaudir"
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
	if d.File == theLog {
		return fmt.Sprintf("%s differs at %s: the bundle has %s, given was %s", d.File, d.At, d.Had, d.Has)
	}
	return fmt.Sprintf("%s differs at %s: the bundle has %s, made again it has %s", schemas.Printable(d.File), d.At, d.Had, d.Has)
}

// theLog stands for a file where a file of the log is another one.
const theLog = "the log"

// notAgainError says why an audit cannot be made again; that is no fault of the bundle's.
type notAgainError struct{ reason string }

func (e *notAgainError) Error() string { return e.reason }

// again makes an audit again from the log and compares every file of the bundle.
func (b *Dir) again(ctx context.Context, asked *Check) (recomputed, error) {
	out := recomputed{State: different, Differences: []differing{}, from: "the log"}
	var err error
	if b.fragments {
		out.from = "the fragments"
	} else if out.Differences, err = b.logs(ctx, asked.Logs); len(out.Differences) > 0 { // before any reason why the audit cannot be made again
		return out, nil
	}
	var w *Remake
	if err == nil {
		w, err = b.wanted(asked)
	}
	if err == nil {
		err = b.compare(ctx, asked, w, &out)
	}
	if err != nil {
		out.State, out.Reason = string(schemas.NotRun), err.Error()
		if _, ok := errors.AsType[*notAgainError](err); ok {
			err = nil
		}
		return out, err
	}
	out.State = equal
	if b.effective.Program != nil && !w.AllowExec {
		out.Reason = "the program was not run, as in the bundle"
	}
	// Without its seed the audit may differ for that alone.
	if len(out.Differences) > 0 && !b.fragments && asked.Protocol == "" && b.sealed() {
		out.State, out.Reason = string(schemas.NotRun), "made again without the seed, "+out.Differences[0].words()+"; give -p with the protocol that names the seed"
		out.Differences = []differing{}
		return out, nil
	}
	if len(out.Differences) > 0 {
		out.State = different
	}
	return out, nil
}

// AreFragments reports whether what is given beside a bundle are parts of an audit, not a
// log; both are refused. A damaged file is what the others are, or its name says.
func AreFragments(operands []string) (bool, error) {
	var part, log string
	for _, name := range operands {
		b, err := kit.ReadStart(name)
		switch {
		case strings.HasSuffix(name, ".frag"), bytes.Contains(b, []byte(`"`+shard.Schema+`"`)):
			part = name
		case err != nil, bytes.HasPrefix(b, []byte("PAR1")):
			log = name
		}
	}
	if part != "" && log != "" {
		return false, kit.Usagef("%s is a fragment, and %s is of a log: give verify the fragments, or the log", schemas.Printable(part), schemas.Printable(log))
	}
	return part != "", nil
}

// Remake is how an audit, or a merge, makes the bundle again.
type Remake struct {
	Protocol, Out string
	AllowExec     bool
	Commitment    *Commitment
	Logs          []string        // or fragments
	Fragments     []string        // nil: logs are of a log
	Inputs        []schemas.Input // of the log, as the manifest of the bundle has them
	IDs           []string        // of its experiments
}

func (b *Dir) wanted(asked *Check) (*Remake, error) {
	if b.Fault != nil {
		return nil, &notAgainError{"results.json cannot be read: " + b.Fault.Error()}
	}
	if err := b.sameProgram(); err != nil {
		return nil, err
	}
	if b.effective == nil {
		return nil, &notAgainError{kit.EffectiveFile + " cannot be read"}
	}
	w := &Remake{Protocol: cmp.Or(asked.Protocol, filepath.Join(b.Dir, kit.EffectiveFile)), AllowExec: asked.AllowExec, Logs: asked.Logs}
	if c := b.results.Head.Commitment; c != nil {
		var err error
		if w.Commitment, err = ReadCommitment(filepath.Join(b.Dir, kit.CommitmentFile), ""); err != nil {
			return nil, &notAgainError{"the commitment in the bundle cannot be read: " + err.Error()}
		}
		if w.Commitment.key, err = hex.DecodeString(c.PublicKey); err != nil || c.PublicKey == "" {
			w.Commitment.key = nil
		}
	}
	if b.fragments { // they were made with the seed or the program
		w.Fragments, w.Inputs, w.IDs = asked.Logs, b.inputs, b.ids
		return w, nil
	}
	return w, b.permit(w, asked.Protocol != "" && !b.holds(asked.Protocol))
}

// permit says whether a policy can be run as it was for the bundle. No program is run
// of a protocol that lies in the bundle; own says that another one is given.
func (b *Dir) permit(w *Remake, own bool) error {
	program, allowed := b.effective.Program != nil, w.AllowExec
	w.AllowExec = allowed && own && !b.refused
	switch {
	case b.seeded && !own && b.sealed():
		return &notAgainError{"the policy was run with its seed, of which the bundle holds the SHA-256 alone; give -p with the protocol that names the seed"}
	case program && !own:
		return &notAgainError{"the policy is a program, and none is run of a protocol that lies in the bundle; give -p with the protocol beside which it stands, and --allow-exec"}
	case program && !allowed && !b.refused:
		return &notAgainError{"the policy is a program, and --allow-exec is not given"}
	}
	return nil
}

// holds reports whether a file lies in the bundle.
func (b *Dir) holds(path string) bool {
	dir, faultOfDir := filepath.EvalSymlinks(b.Dir)
	file, faultOfFile := filepath.EvalSymlinks(path)
	if faultOfDir != nil || faultOfFile != nil {
		return false // what is not there is not run
	}
	dir, faultOfDir = filepath.Abs(dir)
	file, faultOfFile = filepath.Abs(file)
	below, err := filepath.Rel(dir, file)
	return errors.Join(faultOfDir, faultOfFile, err) != nil || filepath.IsLocal(below)
}

// sameProgram refuses to compare with what another version, or another machine, wrote.
// The version stands in results.json. The platform stands in run.json alone, which no
// signature covers.
func (b *Dir) sameProgram() error {
	if had := b.results.Head.Tool; had != Tool() {
		return &notAgainError{fmt.Sprintf("the bundle was made by version %s, this is %s; only the same version promises the same bytes", schemas.Printable(had.Version), kit.Version)}
	}
	text, err := kit.ReadDocument(filepath.Join(b.Dir, kit.RunFile))
	var run struct {
		Build kit.Build `json:"build"`
	}
	if err != nil || json.Unmarshal(text, &run) != nil || run.Build.OS == "" || run.Build.Arch == "" {
		return &notAgainError{"run.json does not name the platform on which the bundle was made; no signature covers that file"}
	}
	if had := run.Build; had.OS != runtime.GOOS || had.Arch != runtime.GOARCH {
		return &notAgainError{fmt.Sprintf("the bundle was made on %s/%s, as run.json says, which no signature covers; this is %s/%s, and only the same platform promises the same bytes", schemas.Printable(had.OS), schemas.Printable(had.Arch), runtime.GOOS, runtime.GOARCH)}
	}
	return nil
}

// sealed reports whether the effective protocol holds the digest of a seed.
func (b *Dir) sealed() bool {
	p := cmp.Or(b.effective.Policy, b.effective.Program)
	return p != nil && p.Seed != nil
}

// merged reports whether the bundle was put together from fragments.
func (b *Dir) merged() bool {
	text, err := kit.ReadStart(filepath.Join(b.Dir, tableaudir.ManifestFile))
	return err == nil && bytes.Contains(text, []byte(`"`+shard.ManifestSchema+`"`))
}

// compareNothing stands where one side has nothing.
const compareNothing = "nothing"

// AgainPrefix begins the names of places where audits are made again.
const AgainPrefix = "banditaudit-again-"

// compare makes the audit in a temporary place.
func (b *Dir) compare(ctx context.Context, asked *Check, w *Remake, out *recomputed) (err error) {
	temp, err := atomicdir.Make(os.TempDir(), AgainPrefix, 0o700)
	if err != nil {
		return kit.NoTemporary("the audit that is made again", err, "")
	}
	defer func() { err = errors.Join(err, temp.Remove()) }()
	w.Out = filepath.Join(temp.Path, "again")
	work := asked.Audit
	if b.fragments {
		work = asked.Merge
	}
	if err = work(ctx, w); err != nil {
		return err
	}
	made, _, err := FilesOf(os.DirFS(w.Out))
	if err != nil {
		return err
	}
	skip := kit.VolatileFiles()
	if b.merged() != b.fragments { // one lists fragments, the other a tableau
		skip = append(skip, tableaudir.ManifestFile)
	}
	made = slices.DeleteFunc(made, func(f attest.Entry) bool { return slices.Contains(skip, f.Name) })
	out.Files = len(made)
	out.Differences, err = b.against(w.Out, made, skip)
	return err
}

// against names the files of a bundle that are not those that were made again,
// results.json first. Those of skip are not looked at.
func (b *Dir) against(dir string, made []attest.Entry, skip []string) ([]differing, error) {
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
		if slices.Contains(skip, f.Name) || sum == f.SHA256 {
			continue
		}
		d := differing{f.Name, "the file", "one", compareNothing}
		if ok {
			var err error
			if d, err = place(f.Name, filepath.Join(b.Dir, f.Name), filepath.Join(dir, f.Name)); err != nil {
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
	if i := slices.Index([]string{kit.EffectiveFile, tableaudir.ManifestFile, kit.ResultsFile}, name); i >= 0 {
		return 2 - i
	}
	return 3
}

// place is where two files differ. Neither is held, for results can be large.
func place(name, had, has string) (_ differing, err error) {
	a, err := os.Open(had)
	if err != nil {
		return differing{}, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	b, err := os.Open(has)
	if err != nil {
		return differing{}, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	d, err := compare.First(name, a, b)
	if d == nil { // changed while it was read
		d = &compare.Difference{At: "the file", A: "another content before", B: "the same now"}
	}
	return differing{name, d.At, d.A, d.B}, err
}
