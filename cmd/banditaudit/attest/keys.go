package attest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
)

// Types of PEM blocks, and how each begins.
const (
	privateBlock = "PRIVATE KEY" // PKCS#8
	publicBlock  = "PUBLIC KEY"  // PKIX
	blockStart   = "-----BEGIN "
)

// ErrKey says that a file holds no key of the kind that is needed.
var ErrKey = errors.New("no such key")

// NewKey draws an Ed25519 key pair and returns both halves as PEM: the private one as
// PKCS#8, the public one as PKIX.
func NewKey(random io.Reader) (private, public []byte, err error) {
	_, key, err := ed25519.GenerateKey(random)
	if err != nil {
		return nil, nil, fmt.Errorf("attest: drawing a key: %w", err)
	}
	inner, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, fmt.Errorf("attest: encoding a key: %w", err)
	}
	outer, err := MarshalPublic(key.Public().(ed25519.PublicKey)) // that is its type
	return pem.EncodeToMemory(&pem.Block{Type: privateBlock, Bytes: inner}), outer, err
}

// MarshalPublic is a public key as PEM.
func MarshalPublic(key ed25519.PublicKey) ([]byte, error) {
	b, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil, fmt.Errorf("attest: encoding a key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: publicBlock, Bytes: b}), nil
}

// ParsePrivate reads a private key. The error has ErrKey in its chain, and holds nothing
// of the file.
func ParsePrivate(text []byte) (ed25519.PrivateKey, error) {
	b, err := block(text, privateBlock)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(b)
	key, ok := parsed.(ed25519.PrivateKey)
	if err != nil || !ok {
		return nil, fmt.Errorf("%w: it holds no Ed25519 private key in PKCS#8", ErrKey)
	}
	return key, nil
}

// ParsePublic reads a public key. The error has ErrKey in its chain, and holds nothing of
// the file.
func ParsePublic(text []byte) (ed25519.PublicKey, error) {
	b, err := block(text, publicBlock)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKIXPublicKey(b)
	key, ok := parsed.(ed25519.PublicKey)
	if err != nil || !ok {
		return nil, fmt.Errorf("%w: it holds no Ed25519 public key in PKIX", ErrKey)
	}
	return key, nil
}

// block is the content of the one PEM block of a file.
func block(text []byte, kind string) ([]byte, error) {
	b, rest := pem.Decode(text)
	switch {
	case b == nil:
		return nil, fmt.Errorf("%w: it holds no PEM", ErrKey)
	case b.Type != kind:
		other := map[string]string{privateBlock: "a private key", publicBlock: "a public key"}[b.Type]
		if other == "" {
			other = "something else"
		}
		return nil, fmt.Errorf("%w: it holds %s in PEM, and a %s was expected", ErrKey, other, map[string]string{privateBlock: "private one", publicBlock: "public one"}[kind])
	case bytes.Count(text, []byte(blockStart)) > 1:
		return nil, fmt.Errorf("%w: it holds more than one key", ErrKey)
	case len(b.Headers) > 0:
		return nil, fmt.Errorf("%w: its PEM has headers, which a key of banditaudit keygen has not", ErrKey)
	case len(bytes.TrimSpace(rest)) > 0 || !bytes.HasPrefix(bytes.TrimSpace(text), []byte(blockStart)):
		return nil, fmt.Errorf("%w: it holds text before or after the key", ErrKey)
	}
	return b.Bytes, nil
}

// KeyID names a public key as the verifiers of in-toto in Python do: the SHA-256 of its
// canonical JSON.
func KeyID(key ed25519.PublicKey) string {
	sum := sha256.Sum256([]byte(`{"keytype":"ed25519","keyval":{"public":"` + hex.EncodeToString(key) + `"},"scheme":"ed25519"}`))
	return hex.EncodeToString(sum[:])
}
