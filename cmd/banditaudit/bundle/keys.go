package bundle

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"io/fs"
	"os"
	"runtime"

	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/atomicdir"
)

// Modes of the files of a key.
const (
	privateMode = 0o600
	publicMode  = 0o644
)

// KeyFiles writes both halves of a key, and gives them their names when they are shown:
// where that fails, what stood there still does.
func KeyFiles(inner, outer string, private, public []byte, show func() error) (err error) {
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

// PublicKeys reads the public keys of signers.
func PublicKeys(paths []string) ([]ed25519.PublicKey, error) {
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

// PrivateKey reads the key that signs. A file that others may read is refused, where
// files have modes.
func PrivateKey(path string) (ed25519.PrivateKey, error) {
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

// Added is a signature that addSignature made.
type Added struct {
	KeyID      string
	Signatures int // of the envelope
}

// AddSignature signs a payload in an envelope, beside the signatures of the same payload
// that are there, when show has said so. By force it replaces whatever else is there.
func AddSignature(path string, payload []byte, key ed25519.PrivateKey, force bool, show func(Added) error) error {
	e, err := EnvelopeWith(path, payload)
	if err != nil && !force {
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
	id := attest.KeyID(key.Public().(ed25519.PublicKey)) // that is its type
	return kit.ShowFile(path, text, true, func() error { return show(Added{id, len(e.Signatures)}) })
}

// EnvelopeWith is the envelope that is there, of the same payload; nil where there is none.
func EnvelopeWith(path string, payload []byte) (*attest.Envelope, error) {
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
