package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/attest"
	"banditaudit/attest/compare"
	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/schemas"
	"banditaudit/schemas/resultsfile"
)

func verifyCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "is a bundle as it was written, by whom is it signed, does the log give it again",
		UsageText: "banditaudit verify [-p protocol.yaml] [--key K.pub ...] [--threshold N] DIR [LOG...]",
		Description: manual(`Makes the checksums of DIR again and names every file that was changed, added or is
missing. With --key it counts the signatures of DIR.dsse.json. With LOG it makes the
audit again in a temporary place and compares every file, byte for byte; -p is needed
where the policy has a seed or is a program. help guarantees says what that shows.
Exit code: 0 all holds, 1 something does not, 3 the audit could not be made again.`,
			"banditaudit verify out",
			"banditaudit verify --key analyst.pub --key reviewer.pub out",
			"banditaudit verify -p protocol.yaml out log/"),
		// --key has no variable: BANDITAUDIT_KEY is the private key of sign and commit.
		Flags: flags("protocol json quiet no-progress jobs max-memory allow-exec",
			&cli.StringSliceFlag{Name: "key", Usage: "public key `FILE` of a signer; may be given several times"},
			&cli.IntFlag{Name: "threshold", EnvVars: variable("THRESHOLD"), DefaultText: "all keys", Usage: "how many of the keys (`N`) must have signed"},
			commitmentKeyFlag()),
		Action: action(p, needs{operands: "a bundle, which audit wrote, and the log where it is at hand"}, verify),
	}
}

// verification is what verify found; with --json it is printed.
type verification struct {
	Schema     string          `json:"schema"`
	Bundle     string          `json:"bundle"`
	Files      int             `json:"files"`
	Changes    []attest.Change `json:"changes"`
	Signatures signatures      `json:"signatures"`
	Commitment committedIn     `json:"commitment"`
	Recomputed recomputed      `json:"recomputed"`
	Overall    string          `json:"overall"`
}

// signatures are those of the envelope beside a bundle.
type signatures struct {
	Envelope  bool     `json:"envelope"`  // there is one
	Threshold int      `json:"threshold"` // 0: no key was given, and none is judged
	Signers   []string `json:"signers"`   // ids of the given keys that signed
	Others    []string `json:"others"`    // ids that the envelope names beside them; not judged
	Fault     string   `json:"fault"`     // why the signatures do not hold; "" where they do
}

// committedIn is what is known of the commitment in a bundle.
type committedIn struct {
	There  bool   `json:"there"`  // the bundle was audited under one
	Judged bool   `json:"judged"` // --commitment-key is given
	KeyID  string `json:"keyid"`  // of the key by which the audit judged it, as the bundle says; "" where it had none
	Fault  string `json:"fault"`  // why it does not hold by --commitment-key; "" where it does, or no key was given
}

// States of a recomputation.
const (
	notAsked  = "not asked" // no log was given
	equal     = "equal"
	different = "different"
)

// recomputed is what came of making an audit again.
type recomputed struct {
	State       string      `json:"state"` // not asked | equal | different | NOT RUN
	Reason      string      `json:"reason"`
	Files       int         `json:"files"`
	Differences []differing `json:"differences"`
}

// bundle is a directory that audit wrote, as it stands.
type bundle struct {
	dir   string
	files []attest.Entry
	list  []byte // checksums.txt
	odd   []attest.Change

	results *resultsfile.File // nil where it cannot be read
	fault   error             // why
}

// verify judges a bundle.
func verify(c *cli.Context, p *process, s *settings) error {
	keys, err := publicKeys(c.StringSlice("key"))
	if err != nil {
		return err
	}
	threshold := c.Int("threshold")
	if !c.IsSet("threshold") {
		threshold = len(keys)
	} else if threshold < 1 || len(keys) == 0 {
		return usagef("--threshold is %d, must be at least 1, with the keys (--key) of which so many must have signed", threshold)
	}
	b, err := openBundle(c.Args().First())
	if err != nil {
		return err
	}
	var committer []string
	if c.String("commitment-key") != "" {
		committer = []string{c.String("commitment-key")}
	}
	committers, err := publicKeys(committer)
	if err != nil {
		return err
	}
	b.read(p, s.maxMemory)
	v := &verification{Schema: "verify.v1", Bundle: filepath.Base(b.dir), Files: len(b.files), Changes: b.changes(), Recomputed: recomputed{State: notAsked, Differences: []differing{}}}
	if v.Signatures, err = b.signed(keys, threshold); err != nil {
		return err
	}
	v.Commitment = b.committed(p, committers)
	if logs := c.Args().Tail(); len(logs) > 0 {
		v.Recomputed, err = b.again(c.Context, p, s, logs)
		if err != nil && (v.faults() == 0 || errors.Is(err, context.Canceled)) {
			return err
		}
	}
	overall := schemas.Overall{Violated: v.faults()}
	if v.Recomputed.State == string(schemas.NotRun) {
		overall.Open = 1
	}
	v.Overall = overall.String()
	if err := v.print(p, s); err != nil {
		return err
	}
	return gate(overall, "incomplete")
}

// faults is how many things do not hold.
func (v *verification) faults() int {
	n := len(v.Changes) + len(v.Recomputed.Differences)
	for _, fault := range []string{v.Signatures.Fault, v.Commitment.Fault} {
		if fault != "" {
			n++
		}
	}
	return n
}

// openBundle reads what a bundle is by its files.
func openBundle(dir string) (*bundle, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, &inputError{err}
	} else if !info.IsDir() {
		return nil, &inputError{fmt.Errorf("%s is no directory; verify takes the directory that audit wrote", schemas.Printable(dir))}
	}
	b := &bundle{dir: dir}
	var err error
	if b.files, b.odd, err = filesOf(os.DirFS(dir)); err != nil {
		return nil, &inputError{err}
	}
	list, err := readDocument(filepath.Join(dir, checksumsFile))
	named := slices.ContainsFunc(b.files, func(f attest.Entry) bool { return f.Name == resultsFile })
	switch {
	case err == nil:
		b.list = list
	case !errors.Is(err, fs.ErrNotExist):
		return nil, &inputError{err}
	case !named:
		return nil, &inputError{fmt.Errorf("%s holds neither %s nor %s: it is no bundle of banditaudit audit", schemas.Printable(dir), checksumsFile, resultsFile)}
	}
	return b, nil
}

// read reads what stands around the experiments of the results.
func (b *bundle) read(p *process, memory int64) {
	b.results, b.fault = openResults(p, filepath.Join(b.dir, resultsFile), memory)
}

// changes names every file that is not as checksums.txt lists it.
func (b *bundle) changes() []attest.Change {
	out := []attest.Change{}
	if b.list == nil {
		out = append(out, attest.Change{Name: checksumsFile, What: attest.Missing})
	} else {
		out = append(out, attest.Judge(checksumsFile, b.list, b.files)...)
	}
	for _, name := range []string{checksumsFile, successFile} {
		switch info, err := os.Lstat(filepath.Join(b.dir, name)); {
		case err != nil && name == successFile:
			out = append(out, attest.Change{Name: name, What: attest.Missing})
		case err == nil && !info.Mode().IsRegular():
			out = append(out, attest.Change{Name: name, What: attest.Changed, Why: "it is no regular file"})
		case err == nil && name == successFile && info.Size() > 0:
			out = append(out, attest.Change{Name: name, What: attest.Changed, Why: "it is not empty"})
		}
	}
	return append(out, b.odd...)
}

// print writes what was found.
func (v *verification) print(p *process, s *settings) error {
	if s.json {
		return printJSON(p, v)
	}
	if s.quiet {
		return nil
	}
	var b strings.Builder
	v.words(&b)
	_, err := fmt.Fprint(p.stdout, b.String())
	return notWritten(err)
}

// words says it for a terminal.
func (v *verification) words(b *strings.Builder) {
	if len(v.Changes) == 0 {
		fmt.Fprintf(b, "checksums: %s as checksums.txt lists them\n", schemas.Counted(v.Files, "file"))
	}
	for _, c := range v.Changes {
		fmt.Fprintf(b, "checksums: %s: %s%s\n", schemas.Printable(c.Name), c.What, strings.TrimSuffix(", "+c.Why, ", "))
	}
	fmt.Fprintf(b, "signatures: %s\n", v.Signatures.words())
	if c := &v.Commitment; c.There || c.Fault != "" {
		fmt.Fprintf(b, "commitment: %s\n", terminal.Printable(c.words()))
	}
	r := &v.Recomputed
	switch r.State {
	case notAsked:
		fmt.Fprintf(b, "recomputation: not asked; give the log to make the audit again\n")
	case equal:
		fmt.Fprintf(b, "recomputation: %s made again from the log, byte for byte the same\n", schemas.Counted(r.Files, "file"))
	case string(schemas.NotRun):
		fmt.Fprintf(b, "recomputation: NOT RUN: %s\n", terminal.Printable(r.Reason))
	}
	for _, d := range r.Differences {
		fmt.Fprintf(b, "recomputation: %s\n", terminal.Printable(d.words()))
	}
	fmt.Fprintf(b, "\n%s\n", v.Overall)
}

// words says what is known of the signatures.
func (s *signatures) words() string {
	others := ""
	if len(s.Others) > 0 {
		others = "; not judged, for their keys were not given: " + strings.Join(s.Others, ", ")
	}
	switch {
	case s.Fault != "":
		return terminal.Printable(s.Fault)
	case !s.Envelope:
		return "none, and no key was given"
	case s.Threshold == 0:
		return "an envelope is there; give --key to judge it; it names " + strings.Join(s.Others, ", ")
	}
	return fmt.Sprintf("%d good, %d needed: %s%s", len(s.Signers), s.Threshold, strings.Join(s.Signers, ", "), others)
}

// envelopeOf is where the envelope of a bundle stands.
func envelopeOf(dir string) string { return filepath.Clean(dir) + ".dsse.json" }

// signed judges the envelope beside a bundle. Without keys it is named and not judged.
func (b *bundle) signed(keys []ed25519.PublicKey, threshold int) (signatures, error) {
	s := signatures{Threshold: threshold, Signers: []string{}, Others: []string{}}
	text, err := readDocument(envelopeOf(b.dir))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if threshold > 0 {
			s.Fault = "there is no envelope " + envelopeOf(b.dir)
		}
		return s, nil
	case err != nil:
		return s, &inputError{err}
	}
	s.Envelope = true
	e, err := attest.Decode(text)
	if err != nil {
		s.Fault = filepath.Base(envelopeOf(b.dir)) + " is " + err.Error()
		return s, nil
	}
	good := e.Signed(keys)
	for _, sig := range e.Signatures {
		if slices.ContainsFunc(good, func(k ed25519.PublicKey) bool { return attest.KeyID(k) == sig.KeyID }) {
			s.Signers = append(s.Signers, sig.KeyID)
		} else {
			s.Others = append(s.Others, sig.KeyID)
		}
	}
	if threshold == 0 {
		return s, nil
	}
	if len(good) < threshold {
		s.Fault = fmt.Sprintf("%d of the given keys signed, %d are needed; the envelope names %s", len(good), threshold, strings.Join(append(s.Signers, s.Others...), ", "))
		return s, nil
	}
	want, err := b.statement()
	if err != nil {
		s.Fault = "what was signed cannot be told from the bundle: " + err.Error()
		return s, nil
	}
	if differs := attest.Mismatch(e.Payload, want); differs != "" {
		s.Fault = "the envelope is not of this bundle: " + differs
	}
	return s, nil
}

// statement is what is signed of a bundle.
func (b *bundle) statement() ([]byte, error) {
	if b.fault != nil {
		return nil, b.fault
	}
	return attest.Audit(b.files, b.results.Head, volatileFiles()...)
}

// committed says by which key the audit judged its commitment, and holds the commitment
// in the bundle against the protocol and the key that is given, if any.
func (b *bundle) committed(p *process, keys []ed25519.PublicKey) committedIn {
	var out committedIn
	if b.fault == nil && b.results.Head.Commitment != nil {
		out.There = true
		if key, err := hex.DecodeString(b.results.Head.Commitment.PublicKey); err == nil && len(key) > 0 {
			out.KeyID = attest.KeyID(key)
		}
	}
	if len(keys) == 0 {
		return out
	}
	out.Judged = true
	c, err := readCommitment(filepath.Join(b.dir, commitmentFile), "")
	if err == nil {
		err = b.fault
	}
	if err != nil {
		out.Fault = err.Error()
		return out
	}
	committed, err := c.effective(p)
	var audited bytes.Buffer
	switch {
	case len(c.envelope.Signed(keys)) == 0:
		out.Fault = commitmentFile + " has no good signature by --commitment-key"
	case err != nil:
		out.Fault = err.Error()
	case json.Compact(&audited, b.results.Head.Protocol) != nil:
		out.Fault = resultsFile + " holds no protocol"
	default:
		if d := compare.JSON(bytes.NewReader(committed), &audited); d != nil {
			out.Fault = fmt.Sprintf("the protocol differs from the committed one at %s: committed to was %s, audited was %s", d.At, d.A, d.B)
		}
	}
	return out
}

// words says what is known of a commitment.
func (c *committedIn) words() string {
	switch {
	case c.Fault != "":
		return c.Fault
	case c.Judged:
		return "signed by the given key, and of the protocol that was audited"
	case c.KeyID == "":
		return "one is there, which was not judged by any key; give --commitment-key"
	}
	return "the audit judged it by key " + c.KeyID + ", as the bundle says; give --commitment-key to judge it by one of yours"
}
