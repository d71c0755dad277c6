package main

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/cmd/banditaudit/attest/compare"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/fault"
	external "banditaudit/replay/program"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// defaultCommitment is what commit writes where no -o is given.
const defaultCommitment = "COMMITMENT.dsse.json"

func commitCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "commit", Usage: "sign a protocol before the first round",
		UsageText: "banditaudit commit -p protocol.yaml --key K [-o FILE]",
		Description: kit.Manual(`Signs the effective protocol: the policy with the SHA-256 of its seed, the horizon, how
the experiment ends, the tests. A policy that is a program is bound by policy.sha256. audit --commitment FILE --commitment-key K.pub then says
whether what was audited is that. Hand FILE, or its SHA-256, to somebody whose word on
its date counts: a signature has no time. A second key adds its signature.`,
			"banditaudit commit -p protocol.yaml --key analyst",
			"banditaudit commit -p protocol.yaml --key keys/reviewer -o COMMITMENT.dsse.json"),
		Flags:  flags("protocol out json quiet force", keyFlag()),
		Action: action(p, needs{protocol: true}, commit),
	}
}

// commitmentKeyFlag names the key of a commitment.
func commitmentKeyFlag() cli.Flag {
	return &cli.StringFlag{Name: "commitment-key", EnvVars: kit.Variable("COMMITMENT_KEY"), Usage: "public key `FILE` of whoever signed the commitment"}
}

// commit signs a protocol.
func commit(c *cli.Context, p *process, s *settings) error {
	key, err := privateKey(c.String("key"))
	if err != nil {
		return err
	}
	doc, err := kit.LoadProtocol(p.catalogue.Format(), s.Protocol, schemas.LoadOptions{})
	if err != nil {
		return err
	}
	if _, err = buildable(p.catalogue.Catalogue, doc); err != nil {
		return err
	}
	text, err := doc.EffectiveYAML()
	if err != nil {
		return err
	}
	payload, err := attest.Commitment(text, tool())
	if err != nil {
		return err
	}
	out := cmp.Or(s.Out, defaultCommitment)
	if _, err = envelopeWith(out, payload); err != nil && !s.Force {
		return kit.Usagef("%s", err)
	}
	for _, open := range leftOpen(&doc.Protocol, filepath.Dir(s.Protocol)) {
		s.Warn("the commitment leaves open %s", open)
	}
	return addSignature(p, s, out, payload, key)
}

// leftOpen names what a protocol, which lies in dir, lets somebody choose after looking.
func leftOpen(p *schemas.Protocol, dir string) []string {
	var out []string
	say := func(open bool, what string) {
		if open {
			out = append(out, what)
		}
	}
	declared := cmp.Or(p.Policy, p.Program)
	say(declared == nil, "which policy chose the actions: none is declared (policy)")
	if p.Program != nil {
		files := unbound(p.Program, dir)
		say(files != "", "which program chose the actions: "+files)
	}
	say(declared != nil && declared.Seed == nil, "the policy's draws, where it draws: no seed is declared (policy.seed)")
	say(p.Experiment.Stopping != schemas.StoppingFixed, "when the experiment ends (experiment.stopping)")
	fixed := p.Experiment.Stopping == schemas.StoppingFixed
	say(fixed && (p.Counter == nil || p.Counter.Horizon == 0), "how many rounds there are: experiment.stopping is fixed, at no declared number (counter.horizon, where there is a counter), and the first part of a log passes")
	say(len(p.Arms) == 0, "which arms there are (arms)")
	say(len(p.Analysis.Tests) == 0, "what is tested (analysis.tests)")
	return out
}

// unbound says which files of a program policy.sha256 does not bind, and what to write
// there; "" where it binds all of policy.exec.
func unbound(p *schemas.Policy, dir string) string {
	_, files, err := external.Resolve(dir, p.Exec, p.SHA256)
	var names, lines []string
	for _, f := range files {
		lines = append(lines, fmt.Sprintf("%s: %q", f.Name, f.SHA256))
		if p.SHA256[f.Name] == "" {
			names = append(names, f.Name)
		}
	}
	switch {
	case err != nil:
		return "it " + err.Error()
	case len(files) == 0:
		return "no file of it lies below the protocol's directory, where policy.sha256 could name it"
	case len(names) == 0:
		return ""
	}
	return fmt.Sprintf("no digest is declared of %s; write policy.sha256: {%s}, with the modules that it loads", strings.Join(names, ", "), strings.Join(lines, ", "))
}

// commitment is the file of a commitment, with the key by which it is judged.
type commitment struct {
	text     []byte
	envelope *attest.Envelope
	protocol []byte // the text of the committed protocol
	tool     schemas.Tool
	key      ed25519.PublicKey // nil: none was given
}

// readCommitment reads a commitment and its key; nil where no path is given.
func readCommitment(path, keyPath string) (*commitment, error) {
	if path == "" && keyPath != "" {
		return nil, kit.Usagef("--commitment-key is given, and no --commitment whose signature it would check")
	}
	if path == "" {
		return nil, nil //nolint:nilnil // none is given
	}
	text, err := kit.ReadDocument(path)
	if err != nil {
		return nil, kit.BadInput(err)
	}
	c := &commitment{text: text}
	if c.envelope, err = attest.Decode(text); err == nil {
		c.protocol, c.tool, err = attest.Committed(c.envelope.Payload)
	}
	if err != nil {
		return nil, kit.BadInput(fmt.Errorf("%s is no commitment: %w", schemas.Printable(path), err))
	}
	if keyPath == "" {
		return c, nil
	}
	keys, err := publicKeys([]string{keyPath})
	if err != nil {
		return nil, err
	}
	c.key = keys[0]
	return c, nil
}

// judge holds a protocol against the commitment; nil where there is none.
func (c *commitment) judge(p *process, doc *schemas.Document) (*schemas.Commitment, error) {
	if c == nil {
		return nil, nil //nolint:nilnil // none is given
	}
	audited, err := doc.Effective()
	if err != nil {
		return nil, err
	}
	out := &schemas.Commitment{SHA256: sum(c.text), Protocol: sum(c.protocol), Tool: c.tool, PublicKey: hex.EncodeToString(c.key)}
	for _, s := range c.envelope.Signatures {
		out.KeyIDs = append(out.KeyIDs, s.KeyID)
	}
	out.Signed = c.key != nil && len(c.envelope.Signed([]ed25519.PublicKey{c.key})) == 1
	committed, err := c.effective(p)
	if err != nil {
		out.Differs = &schemas.CommittedKey{Key: "/", Committed: "a protocol that this version cannot read: " + err.Error(), Audited: "the protocol"}
		return out, nil //nolint:nilerr // that is what was found
	}
	if d := compare.Meaning(bytes.NewReader(committed), bytes.NewReader(audited), sameNumber); d != nil {
		out.Differs = &schemas.CommittedKey{Key: cmp.Or(d.At, "/"), Committed: d.A, Audited: d.B}
	}
	return out, nil
}

// exactKeys are the keys of a protocol whose numbers are kept as they are spelled.
func exactKeys() []string {
	return []string{"epsilon", "rho", "grid", "exponent", "sensitivity", "near_ties", "threshold", param.ContextBound}
}

// sameNumber reports whether a key has one exact number in two spellings: 1/4 is 0.25.
// What is handed to a program as its parameters is text.
func sameNumber(at, a, b string) bool {
	if !slices.Contains(exactKeys(), at[strings.LastIndex(at, "/")+1:]) || strings.Contains(at, "/parameters/") {
		return false
	}
	x, errX := schemas.ParseRational(strings.Trim(a, `"`))
	y, errY := schemas.ParseRational(strings.Trim(b, `"`))
	return errX == nil && errY == nil && x.Equal(y)
}

// effective is the committed protocol as this version reads it: keys that the version
// which signed it did not have get their defaults.
func (c *commitment) effective(p *process) ([]byte, error) {
	doc, err := p.catalogue.Format().ParseProtocol(filepath.Base(kit.EffectiveFile), c.protocol)
	if err != nil {
		return nil, err
	}
	return doc.Effective()
}

// sum is the SHA-256 of a text in lower-case hex.
func sum(text []byte) string {
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// committedIn is what is known of the commitment in a bundle.
type committedIn struct {
	There  bool   `json:"there"`  // the bundle was audited under one
	Judged bool   `json:"judged"` // --commitment-key is given
	KeyID  string `json:"keyid"`  // of the key by which the audit judged it, as the bundle says; "" where it had none
	Fault  string `json:"fault"`  // why it does not hold by --commitment-key; "" where it does, or no key was given

	limit bool // it was not judged: that would take more memory than is allowed
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
	c, err := readCommitment(filepath.Join(b.dir, kit.CommitmentFile), "")
	if err == nil {
		err = b.fault
	}
	if err != nil {
		out.Fault, out.limit = err.Error(), errors.Is(err, fault.ErrResource)
		return out
	}
	committed, err := c.effective(p)
	var audited bytes.Buffer
	switch {
	case len(c.envelope.Signed(keys)) == 0:
		out.Fault = kit.CommitmentFile + " has no good signature by --commitment-key"
	case err != nil:
		out.Fault = err.Error()
	case json.Compact(&audited, b.results.Head.Protocol) != nil:
		out.Fault = kit.ResultsFile + " holds no protocol"
	default:
		if d := compare.Meaning(bytes.NewReader(committed), &audited, sameNumber); d != nil {
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
