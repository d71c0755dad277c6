package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"runtime"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/atomicdir"
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

// Modes of the files of a key.
const (
	privateMode = 0o600
	publicMode  = 0o644
)

// keygen draws a key pair. What it prints is of the public half alone.
func keygen(_ *cli.Context, p *process, s *settings) error {
	outer := s.Out + ".pub"
	for _, path := range []string{s.Out, outer} {
		if err := kit.CheckFreeFile(path, s.Force); err != nil {
			return err
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
	return keyFiles(s.Out, outer, private, public, func() error {
		return said(p, s, map[string]any{"private": s.Out, "public": outer, "keyid": attest.KeyID(key)},
			"private key %s, which stays with you; public key %s, id %s", s.Out, outer, attest.KeyID(key))
	})
}

// keyFiles writes both halves of a key, and gives them their names when they are shown:
// where that fails, what stood there still does.
func keyFiles(inner, outer string, private, public []byte, show func() error) (err error) {
	inside, err := pendingKey(inner, private, privateMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kit.NotWritten(inside.Cleanup())) }()
	outside, err := pendingKey(outer, public, publicMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kit.NotWritten(outside.Cleanup())) }()
	if err = show(); err != nil {
		return err
	}
	if err = inside.Place(); err != nil {
		return kit.NotWritten(err)
	}
	if err = outside.Place(); err != nil {
		return kit.NotWritten(errors.Join(err, os.Remove(kit.Followed(inner))))
	}
	return nil
}

// pendingKey writes half a key that gets its name later. No moment leaves it with a wider
// mode.
func pendingKey(path string, text []byte, mode fs.FileMode) (*atomicdir.File, error) {
	f, err := atomicdir.NewSecret(kit.Followed(path), mode)
	if err != nil {
		return nil, kit.NotWritten(err)
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	if err != nil {
		return nil, kit.NotWritten(errors.Join(err, f.Cleanup()))
	}
	return f, nil
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

// publicKeys reads the public keys of signers.
func publicKeys(paths []string) ([]ed25519.PublicKey, error) {
	var out []ed25519.PublicKey
	for _, path := range paths {
		text, err := readKey(path)
		if err != nil {
			return nil, err
		}
		key, err := attest.ParsePublic(text)
		if err != nil {
			return nil, kit.Usagef("%s: %s", path, err)
		}
		out = append(out, key)
	}
	return out, nil
}

// privateKey reads the key that signs. A file that others may read is refused, where
// files have modes.
func privateKey(path string) (ed25519.PrivateKey, error) {
	if path == "" {
		return nil, kit.Usagef("no key is given; give --key K, a private key that banditaudit keygen wrote")
	}
	text, err := readKey(path)
	if err != nil {
		return nil, err
	}
	key, err := attest.ParsePrivate(text)
	if err != nil {
		return nil, kit.Usagef("%s: %s", path, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, kit.Usagef("the key cannot be read: %s", err)
	}
	const others = 0o077
	switch mode := info.Mode().Perm(); {
	case runtime.GOOS == "windows" || mode&^privateMode == 0:
	case mode&others != 0:
		return nil, kit.Usagef("%s has mode %04o, which lets others at a private key; make it 0600 or 0400 (chmod 600), and draw another key if somebody may have read it", path, mode)
	default:
		return nil, kit.Usagef("%s has mode %04o, as a program has; make it 0600 or 0400 (chmod 600), as a private key has", path, mode)
	}
	return key, nil
}

// maxKey bounds the file of a key.
const maxKey = 16 << 10

// readKey reads the file of a key. What is wrong with it is a mistake of the command line.
func readKey(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, kit.Usagef("the key cannot be read: %s", err)
	case !info.Mode().IsRegular() || info.Size() > maxKey:
		return nil, kit.Usagef("%s is no key: it is no regular file of at most %d bytes", path, maxKey)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, kit.Usagef("the key cannot be read: %s", err)
	}
	return text, nil
}

// sign signs a bundle that is as its checksums say.
func sign(c *cli.Context, p *process, s *settings) error {
	if c.NArg() != 1 {
		return kit.Usagef("sign signs one bundle, got %d arguments", c.NArg())
	}
	key, err := privateKey(c.String("key"))
	if err != nil {
		return err
	}
	b, err := openBundle(c.Args().First())
	if err != nil {
		return err
	}
	if changes := b.changes(); len(changes) > 0 {
		return kit.Failedf("%s was not signed: %s: %s; banditaudit verify names all that differs", b.dir, schemas.Printable(changes[0].Name), changes[0].What)
	}
	b.read(p, s.MaxMemory)
	if changes := b.unlike(p); len(changes) > 0 {
		return kit.Failedf("%s was not signed: %s: %s; banditaudit verify names all that is wrong", b.dir, schemas.Printable(changes[0].Name), schemas.Printable(changes[0].Why))
	}
	payload, err := b.statement()
	if err != nil {
		return err
	}
	return addSignature(p, s, envelopeOf(b.dir), payload, key)
}

// addSignature signs a payload in an envelope, beside the signatures of the same payload
// that are there.
func addSignature(p *process, s *settings, path string, payload []byte, key ed25519.PrivateKey) error {
	e, err := envelopeWith(path, payload)
	if err != nil && !s.Force {
		return err
	}
	if e == nil {
		e = attest.Seal(payload)
	}
	e.Sign(key)
	text, err := e.Encode()
	if err != nil {
		return err
	}
	if err = kit.WriteFile(path, text, true); err != nil {
		return err
	}
	id := attest.KeyID(key.Public().(ed25519.PublicKey)) // that is its type
	return said(p, s, map[string]any{"envelope": path, "keyid": id, "signatures": len(e.Signatures)},
		"signed by key %s: %s, which has %s", id, path, schemas.Counted(len(e.Signatures), "signature"))
}

// envelopeWith is the envelope that is there, of the same payload; nil where there is none.
func envelopeWith(path string, payload []byte) (*attest.Envelope, error) {
	text, err := kit.ReadDocument(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // none is there
	}
	if err != nil {
		return nil, kit.BadInput(err)
	}
	e, err := attest.Decode(text)
	if err != nil {
		return nil, kit.Failedf("%s is there and is %s; give --force to replace it", path, err)
	}
	if !bytes.Equal(e.Payload, payload) {
		return nil, kit.Failedf("%s is there, and what it signs is something else; give --force to replace it with its signatures", path)
	}
	return e, nil
}

// staleEnvelope says that an envelope beside a bundle that was replaced fits it no more.
func staleEnvelope(p *process, s *settings, dir string) {
	if _, err := os.Lstat(envelopeOf(dir)); err != nil {
		return
	}
	b, err := openBundle(dir)
	if err == nil {
		b.read(p, s.MaxMemory)
		var payload []byte
		if payload, err = b.statement(); err == nil {
			_, err = envelopeWith(envelopeOf(dir), payload)
		}
	}
	if err != nil {
		s.Warn("%s was left as it was, and does not fit the bundle that stands here now; look at it, and sign again with --force", envelopeOf(dir))
	}
}
