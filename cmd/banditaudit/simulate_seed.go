package main

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"banditaudit/replay"
	"banditaudit/schemas"
)

// simulationSeed is the master seed of a simulation, and the name, inside the
// output, of the file that it is written to: the one that the protocol names.
type simulationSeed struct {
	master [32]byte
	file   string
}

// masterSeed is the seed of --seed where given, else the protocol's, else of 0.
// It refuses a protocol whose seed the log would not have been drawn from, or
// that would not find it beside itself.
func masterSeed(s *settings, doc *schemas.Document) (*simulationSeed, error) {
	out := &simulationSeed{replay.Seed(s.seed), seedHexFile}
	declared := doc.Protocol.Policy.Seed
	if declared == nil {
		return out, nil
	}
	known := len(declared.Bytes) == len(out.master)
	switch {
	case declared.File != "":
		name, err := seedName(s, declared.File)
		if err != nil {
			return nil, err
		}
		out.file = name
	case !known:
		return nil, usagef("policy.seed has a digest and no seed, so that the log could not be audited with it; write seed: {file: %s}, with --seed, which writes that file", seedHexFile)
	}
	digest := sha256.Sum256(out.master[:])
	if s.seedGiven && declared.SHA256 != "" && !strings.EqualFold(declared.SHA256, hex.EncodeToString(digest[:])) {
		return nil, usagef("--seed %d is another seed than policy.seed declares; leave the flag out, or write seed: {file: %s} alone, which simulate then writes", s.seed, seedHexFile)
	}
	if !s.seedGiven && known {
		out.master = [32]byte(declared.Bytes)
	}
	return out, nil
}

// seedName is where the seed of a file is written, inside the output. What is
// read from an absolute path stays there, and the protocol finds it.
func seedName(s *settings, file string) (string, error) {
	const mend = "write a plain name, such as seed: {file: " + seedHexFile + "}"
	if filepath.IsAbs(file) {
		if s.seedGiven {
			return "", usagef("policy.seed.file %s is not inside the output, where simulate writes the seed of --seed; %s, or leave the flag out", schemas.Quoted(file), mend)
		}
		return seedHexFile, nil
	}
	name := path.Clean(filepath.ToSlash(file))
	parts := strings.Split(name, "/")
	switch {
	case !filepath.IsLocal(name), name == ".":
		return "", usagef("policy.seed.file %s names no file inside the output, where the protocol that simulate writes would look for it; %s", schemas.Quoted(file), mend)
	case slices.ContainsFunc([]string{protocolFile, truthFile, logDir}, func(own string) bool { return strings.EqualFold(own, parts[0]) }):
		return "", usagef("policy.seed.file %s is where simulate writes something else, which the seed would replace; %s", schemas.Quoted(file), mend)
	case strings.ContainsRune(name, 0), slices.ContainsFunc(parts, func(p string) bool { return len(p) > 255 }), len(name) > 1024:
		return "", usagef("policy.seed.file is no name that a file can have; %s", mend)
	}
	return name, nil
}
