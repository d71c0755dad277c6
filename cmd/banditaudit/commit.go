package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	external "banditaudit/replay/program"
	"banditaudit/schemas"
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
	key, err := bundle.PrivateKey(c.String("key"))
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
	payload, err := attest.Commitment(text, bundle.Tool())
	if err != nil {
		return err
	}
	out := cmp.Or(s.Out, defaultCommitment)
	if _, err = bundle.EnvelopeWith(out, payload); err != nil && !s.Force {
		return kit.Usagef("%s", err)
	}
	for _, open := range leftOpen(&doc.Protocol, filepath.Dir(s.Protocol)) {
		s.Warn("the commitment leaves open %s", open)
	}
	return signInto(p, s, out, payload, key)
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
