package schemas

import (
	"fmt"
	"path/filepath"
	"strings"
)

// maxSeedFile bounds what is read of a seed file: 64 digits and white space.
const maxSeedFile = 4096

// readSeed reads the seed file that the policy names, relative to dir, and
// compares it with the digest where one is declared.
func (d *Document) readSeed(dir string) Problems {
	if d.Protocol.Policy == nil || d.Protocol.Policy.Seed == nil || d.Protocol.Policy.Seed.File == "" {
		return nil
	}
	const path = "policy.seed.file"
	s := d.Protocol.Policy.Seed
	if _, ok := parseSeed(s.File); ok {
		return Problems{d.Problem(path, path+" is a seed, not the name of a file", "a seed is kept apart from the protocol", "put the digits in a file and name that")}
	}
	name := s.File
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	b, err := readBounded(name, maxSeedFile)
	if err != nil {
		return Problems{d.Problem(path, path+" "+shown(s.File)+" cannot be read", err.Error(), "put the file beside the protocol, or delete seed: conformance is then NOT ESTABLISHED")}
	}
	master, ok := parseSeed(strings.TrimSpace(string(b)))
	if !ok {
		return Problems{d.Problem(path, fmt.Sprintf("the file %s holds no seed", shown(s.File)), seedForm, "write the 64 digits alone in the file")}
	}
	declared := s.SHA256
	s.keep(master)
	if declared != "" && !strings.EqualFold(declared, s.SHA256) {
		return Problems{d.Problem("policy.seed.sha256", "policy.seed.sha256 is not the digest of the seed in "+shown(s.File), "the protocol commits to another seed", "find the seed that was used, or correct the digest")}
	}
	return nil
}
