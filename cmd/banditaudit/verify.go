package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
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

// verify judges a bundle.
func verify(c *cli.Context, p *process, s *settings) error {
	keys, err := bundle.PublicKeys(c.StringSlice("key"))
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
	asked := bundle.Check{
		Keys: keys, Threshold: threshold, Logs: logs, Protocol: s.Protocol, AllowExec: s.allowExec, Memory: s.MaxMemory,
		Audit: func(ctx context.Context, w *bundle.Remake) error { return remade(ctx, p, s, w, auditInto) },
		Merge: func(ctx context.Context, w *bundle.Remake) error { return remade(ctx, p, s, w, mergeInto) },
	}
	if asked.Fragments, err = bundle.AreFragments(logs); err != nil {
		return err
	}
	b, err := bundle.Open(p.catalogue.Format(), c.Args().First())
	if err != nil {
		return err
	}
	if key := c.String("commitment-key"); key != "" {
		if asked.Committers, err = bundle.PublicKeys([]string{key}); err != nil {
			return err
		}
	}
	v, err := b.Verify(c.Context, &asked)
	if err != nil {
		return err
	}
	if err := printVerification(p, s, v); err != nil {
		return err
	}
	return endOf(v)
}

// remade makes an audit or a merge again, in the place that is wanted.
func remade(ctx context.Context, p *process, s *settings, w *bundle.Remake, work func(context.Context, *process, *settings, []string, *runRecord) (schemas.Overall, error)) error {
	common, inner := *s.Settings, *s
	inner.Settings = &common
	inner.JSON, inner.Quiet, inner.Force, inner.keepTableau, inner.failOn = false, true, false, "", "never"
	inner.Protocol, inner.Out, inner.allowExec, inner.commitment = w.Protocol, w.Out, w.AllowExec, w.Commitment
	if len(w.Fragments) > 0 {
		log, err := logOfFragments(w)
		if err != nil {
			return err
		}
		inner.log = log
	}
	_, err := work(ctx, p, &inner, w.Logs, startRun(p, &inner))
	return err
}

// logOfFragments is what a bundle says of the log whose parts an engine shuffled; nil where
// the fragments are of no such parts.
func logOfFragments(w *bundle.Remake) (*givenLog, error) {
	f, err := readFragment(w.Fragments[0])
	if err != nil || !f.Head.Shuffled() {
		return nil, err
	}
	with := schemas.Census{Schema: schemas.CensusSchema, Experiments: f.Head.Experiments, Inputs: w.Inputs, IDs: w.IDs}
	if l, err := newGivenLog(&with); err != nil || l.digest == f.Head.Log {
		return l, err
	}
	with.IDs = nil
	return &givenLog{&with, f.Head.Log}, nil
}

// endOf is the error that ends a verification: what does not hold goes before what could not
// be read for want of memory, and that before what is open otherwise.
func endOf(v *bundle.Verification) error {
	overall := v.Outcome()
	if overall.Violated == 0 && v.Limited() {
		return fmt.Errorf("%w: the bundle was not verified: %s; raise --max-memory", fault.ErrResource, overall)
	}
	return gate(overall, "incomplete")
}

// printVerification writes what was found.
func printVerification(p *process, s *settings, v *bundle.Verification) error {
	if s.JSON {
		return printJSON(p, v)
	}
	if s.Quiet {
		return nil
	}
	var b strings.Builder
	v.Words(&b)
	_, err := fmt.Fprint(p.Stdout, b.String())
	return kit.NotWritten(err)
}
