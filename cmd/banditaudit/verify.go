package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/layout"
	"banditaudit/ingest/fault"
	"banditaudit/schemas"
)

func verifyCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "is a bundle as it was written, by whom is it signed, does the log give it again",
		UsageText: "banditaudit verify [-p protocol.yaml] [--key K.pub ...] [--threshold N] DIR [LOG... | FRAG...]",
		Description: kit.Manual(`Makes the checksums of DIR again and names every file that was changed, added or is
missing. With --key it counts the signatures of DIR.dsse.json. With LOG it makes the
audit again in a temporary place and compares every file but run.json and
openlineage.json, byte for byte; -p is needed where the policy has a seed or is a
program. With FRAG, the fragments of a merged bundle, it merges them again. help
guarantees says what that shows.
It reads results.json, manifest.json, run.json and the effective protocol by the rules
of their form. Exit code: 0 all holds, 1 something does not, 3 the audit could not be
made again or another version's document not read, 6 a document needs more memory.`,
			"banditaudit verify out",
			"banditaudit verify --key analyst.pub --key reviewer.pub out",
			"banditaudit verify -p protocol.yaml out log/"),
		// --key has no variable: BANDITAUDIT_KEY is the private key of sign and commit.
		Flags: flags("protocol json quiet no-progress jobs max-memory allow-exec",
			&cli.StringSliceFlag{Name: "key", Usage: "public key `FILE` of a signer; may be given several times"},
			&cli.IntFlag{Name: "threshold", EnvVars: kit.Variable("THRESHOLD"), DefaultText: "all keys", Usage: "how many of the keys (`N`) must have signed"},
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
	Unread     []unread        `json:"unread"` // documents of which nothing is known
	Signatures signatures      `json:"signatures"`
	Commitment committedIn     `json:"commitment"`
	Recomputed recomputed      `json:"recomputed"`
	Audit      outcome         `json:"audit"`
	Overall    string          `json:"overall"` // of the verification, not of the audit
}

// outcome is what the audit came to, as results.json says; "" where it cannot be read.
type outcome struct {
	Overall   string          `json:"overall"`
	Committed schemas.Verdict `json:"committed"` // on protocol.committed; "" where there is no such claim
}

// signatures describes the signatures in the envelope beside a bundle.
type signatures struct {
	Envelope  bool     `json:"envelope"`  // there is one
	Threshold int      `json:"threshold"` // 0: no key was given, and none is judged
	Signers   []string `json:"signers"`   // ids of the given keys that signed
	Others    []string `json:"others"`    // ids that the envelope names beside them; not judged
	Fault     string   `json:"fault"`     // why the signatures do not hold; "" where they do

	limit bool // they were not judged: that would take more memory than is allowed
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
	from        string      // what it was made from, in words
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
		return kit.Usagef("--threshold is %d, must be at least 1, with the keys (--key) of which so many must have signed", threshold)
	}
	logs, err := kit.Matched(c.Args().Tail(), ".frag")
	if err != nil {
		return err
	}
	fragments, err := areFragments(logs)
	if err != nil {
		return err
	}
	b, err := openBundle(c.Args().First())
	if err != nil {
		return err
	}
	b.fragments = fragments
	var committer []string
	if c.String("commitment-key") != "" {
		committer = []string{c.String("commitment-key")}
	}
	committers, err := publicKeys(committer)
	if err != nil {
		return err
	}
	b.read(p, s.MaxMemory)
	v := &verification{Schema: "verify.v1", Bundle: filepath.Base(b.dir), Files: len(b.files), Changes: b.unlike(p), Recomputed: recomputed{State: notAsked, Differences: []differing{}}}
	v.Unread, v.Audit = slices.Concat([]unread{}, b.unread), b.audit
	if v.Signatures, err = b.signed(keys, threshold); err != nil {
		return err
	}
	v.Commitment = b.committed(p, committers)
	if len(logs) > 0 {
		v.Recomputed, err = b.again(c.Context, p, s, logs)
		if err != nil && (v.faults() == 0 || errors.Is(err, context.Canceled)) {
			return err
		}
	}
	overall := schemas.Overall{Violated: v.faults(), Open: len(v.Unread) + v.unjudged()}
	if v.Recomputed.State == string(schemas.NotRun) {
		overall.Open++
	}
	v.Overall = overall.String()
	if err := v.print(p, s); err != nil {
		return err
	}
	return v.end(overall)
}

// end is the error that ends a verification: what does not hold goes before what could not
// be read for want of memory, and that before what is open otherwise.
func (v *verification) end(overall schemas.Overall) error {
	limit := slices.ContainsFunc(v.Unread, func(u unread) bool { return u.limit }) || v.unjudged() > 0
	if overall.Violated == 0 && limit {
		return fmt.Errorf("%w: the bundle was not verified: %s; raise --max-memory", fault.ErrResource, overall)
	}
	return gate(overall, "incomplete")
}

// faults is how many things do not hold.
func (v *verification) faults() int {
	n := len(v.Changes) + len(v.Recomputed.Differences)
	if v.Signatures.Fault != "" && !v.Signatures.limit {
		n++
	}
	if v.Commitment.Fault != "" && !v.Commitment.limit {
		n++
	}
	return n
}

// unjudged is how many things were to be judged and were not, for want of memory, beside
// documents.
func (v *verification) unjudged() int {
	n := 0
	for _, limit := range []bool{v.Signatures.limit, v.Commitment.limit} {
		if limit {
			n++
		}
	}
	return n
}

// print writes what was found.
func (v *verification) print(p *process, s *settings) error {
	if s.JSON {
		return printJSON(p, v)
	}
	if s.Quiet {
		return nil
	}
	var b strings.Builder
	v.words(&b)
	_, err := fmt.Fprint(p.Stdout, b.String())
	return kit.NotWritten(err)
}

// words says it for a terminal.
func (v *verification) words(b *strings.Builder) {
	if len(v.Changes) == 0 {
		fmt.Fprintf(b, "checksums: %s as checksums.txt lists them\n", schemas.Counted(v.Files, "file"))
	}
	for _, c := range v.Changes {
		fmt.Fprintf(b, "checksums: %s: %s%s\n", schemas.Printable(c.Name), c.What, schemas.Printable(strings.TrimSuffix(", "+c.Why, ", ")))
	}
	for _, u := range v.Unread {
		fmt.Fprintf(b, "not read: %s: %s\n", schemas.Printable(u.Name), schemas.Printable(u.Why))
	}
	fmt.Fprintf(b, "signatures: %s\n", layout.Printable(v.Signatures.words()))
	if c := &v.Commitment; c.There || c.Fault != "" {
		fmt.Fprintf(b, "commitment: %s\n", layout.Printable(c.words()))
	}
	v.Recomputed.words(b)
	fmt.Fprintf(b, "\nthe audit, as results.json says: %s\nthe verification: %s\n", layout.Printable(v.Audit.words()), v.Overall)
}

// words says what came of the recomputation.
func (r *recomputed) words(b *strings.Builder) {
	switch r.State {
	case notAsked:
		fmt.Fprintf(b, "recomputation: not asked; give the log to make the audit again\n")
	case equal:
		fmt.Fprintf(b, "recomputation: %s made again from %s, byte for byte the same%s\n", schemas.Counted(r.Files, "file"), r.from, strings.TrimSuffix("; "+r.Reason, "; "))
	case string(schemas.NotRun):
		fmt.Fprintf(b, "recomputation: NOT RUN: %s\n", layout.Printable(r.Reason))
	}
	for _, d := range r.Differences {
		fmt.Fprintf(b, "recomputation: %s\n", layout.Printable(d.words()))
	}
}

// words says what the audit came to.
func (o *outcome) words() string {
	switch {
	case o.Overall == "":
		return "it cannot be read"
	case o.Committed != "":
		return fmt.Sprintf("%s; %s is %s", o.Overall, schemas.KindCommitted, o.Committed)
	}
	return o.Overall
}

// words says what is known of the signatures.
func (s *signatures) words() string {
	others := ""
	if len(s.Others) > 0 {
		others = "; not judged, for their keys were not given: " + strings.Join(s.Others, ", ")
	}
	switch {
	case s.Fault != "":
		return layout.Printable(s.Fault)
	case !s.Envelope:
		return "none, and no key was given"
	case s.Threshold == 0:
		return "an envelope is there; give --key to judge it; it names " + strings.Join(s.Others, ", ")
	}
	return fmt.Sprintf("%d good, %d needed: %s%s", len(s.Signers), s.Threshold, strings.Join(s.Signers, ", "), others)
}
