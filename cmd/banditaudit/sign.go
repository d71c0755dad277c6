package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"os"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

func keygenCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "keygen", Usage: "draw a key for sign and commit",
		UsageText: "banditaudit keygen -o K",
		Description: kit.Manual(`Writes K, the private key (Ed25519, PKCS#8 PEM, mode 0600), which stays with whoever
signs, and K.pub, the public key, which verifiers get by a way that they trust.`,
			"banditaudit keygen -o analyst",
			"banditaudit keygen -o keys/reviewer"),
		Flags:  flags("out json quiet force"),
		Action: action(p, needs{out: true}, keygen),
	}
}

func signCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "sign", Usage: "sign a bundle",
		UsageText: "banditaudit sign --key K DIR",
		Description: kit.Manual(`Checks the checksums of DIR and signs what it holds, with the verdicts, in
DIR.dsse.json beside it: an in-toto statement in a DSSE envelope. A second key adds its
signature. Nothing is signed where a file of DIR was changed. help guarantees says what
a signature shows.`,
			"banditaudit sign --key analyst out",
			"banditaudit sign out --key keys/reviewer --json"),
		Flags:  flags("json quiet max-memory force", keyFlag()),
		Action: action(p, needs{operands: "a bundle, which audit wrote"}, sign),
	}
}

// keyFlag names the private key.
func keyFlag() cli.Flag {
	return &cli.StringFlag{Name: "key", EnvVars: kit.Variable("KEY"), Usage: "private key `FILE`, of keygen"}
}

// keygen draws a key pair. What it prints is of the public half alone.
func keygen(_ *cli.Context, p *process, s *settings) error {
	outer := s.Out + ".pub"
	for _, path := range []string{s.Out, outer} {
		if err := kit.CheckFreeFile(path, s.Force); err != nil {
			return err
		}
		if start, err := kit.ReadStart(path); err == nil && len(start) > 0 && !bytes.HasPrefix(start, []byte("-----BEGIN ")) {
			return kit.Usagef("%s exists and is no key that keygen wrote; remove it, or give another -o", path)
		}
	}
	private, public, err := attest.NewKey(rand.Reader)
	if err != nil {
		return err
	}
	key, err := attest.ParsePublic(public)
	if err != nil {
		return err
	}
	return bundle.KeyFiles(s.Out, outer, private, public, func() error {
		return said(p, s, map[string]any{"private": s.Out, "public": outer, "keyid": attest.KeyID(key)},
			"private key %s, which stays with you; public key %s, id %s", s.Out, outer, attest.KeyID(key))
	})
}

// said prints one line, or with --json one document.
func said(p *process, s *settings, document map[string]any, format string, args ...any) error {
	if s.JSON {
		e := json.NewEncoder(p.Stdout)
		e.SetEscapeHTML(false)
		return kit.NotWritten(e.Encode(document))
	}
	return s.Line(format, args...)
}

// sign signs a bundle that is as its checksums say.
func sign(c *cli.Context, p *process, s *settings) error {
	if c.NArg() != 1 {
		return kit.Usagef("sign signs one bundle, got %d arguments", c.NArg())
	}
	key, err := bundle.PrivateKey(c.String("key"))
	if err != nil {
		return err
	}
	b, err := bundle.Open(p.catalogue.Format(), c.Args().First())
	if err != nil {
		return err
	}
	if changes := b.Changes(); len(changes) > 0 {
		return kit.Failedf("%s was not signed: %s: %s; banditaudit verify names all that differs", b.Dir, schemas.Printable(changes[0].Name), changes[0].What)
	}
	b.Read(s.MaxMemory)
	if changes := b.Unlike(); len(changes) > 0 {
		return kit.Failedf("%s was not signed: %s: %s; banditaudit verify names all that is wrong", b.Dir, schemas.Printable(changes[0].Name), schemas.Printable(changes[0].Why))
	}
	payload, err := b.Statement()
	if err != nil {
		return err
	}
	return signInto(p, s, bundle.EnvelopeOf(b.Dir), payload, key)
}

// signInto adds a signature to an envelope, and says so.
func signInto(p *process, s *settings, path string, payload []byte, key ed25519.PrivateKey) error {
	return bundle.AddSignature(path, payload, key, s.Force, func(made bundle.Added) error {
		return said(p, s, map[string]any{"envelope": path, "keyid": made.KeyID, "signatures": made.Signatures},
			"signed by key %s: %s, which has %s", made.KeyID, path, schemas.Counted(made.Signatures, "signature"))
	})
}

// staleEnvelope says that an envelope beside a bundle that was replaced fits it no more.
func staleEnvelope(p *process, s *settings, dir string) {
	if _, err := os.Lstat(bundle.EnvelopeOf(dir)); err != nil {
		return
	}
	b, err := bundle.Open(p.catalogue.Format(), dir)
	if err == nil {
		b.Read(s.MaxMemory)
		var payload []byte
		if payload, err = b.Statement(); err == nil {
			_, err = bundle.EnvelopeWith(bundle.EnvelopeOf(dir), payload)
		}
	}
	if err != nil {
		s.Warn("%s was left as it was, and does not fit the bundle that stands here now; look at it, and sign again with --force", bundle.EnvelopeOf(dir))
	}
}
