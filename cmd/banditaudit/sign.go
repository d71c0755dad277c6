package main

import (
	"crypto/ed25519"
	"os"

	"banditaudit/attest"
)

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
			return nil, usagef("%s: %s", path, err)
		}
		out = append(out, key)
	}
	return out, nil
}

// maxKey bounds the file of a key.
const maxKey = 16 << 10

// readKey reads the file of a key. What is wrong with it is a mistake of the command line.
func readKey(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, usagef("the key %s", err)
	case !info.Mode().IsRegular() || info.Size() > maxKey:
		return nil, usagef("%s is no key: it is no regular file of at most %d bytes", path, maxKey)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usagef("the key %s", err)
	}
	return text, nil
}
