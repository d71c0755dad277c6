package program

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is a file of a program and the SHA-256 of its content, in lower-case hex.
type File struct {
	Name   string // as the protocol has it
	SHA256 string
}

// Resolve returns the arguments as they are handed over. One that names a regular file
// below dir is its absolute path, with symbolic links as they are. files are these, and
// those that also names, each once, with their digests. A *Failure says which file is not
// there, or is not the one of which also has the digest; "" in also asks for none.
func Resolve(dir string, argv []string, also map[string]string) (handed []string, files []File, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, nil, failed(CauseStart, "could not be found: %s", err)
	}
	handed = slices.Clone(argv)
	names := slices.Sorted(maps.Keys(also))
	for i, arg := range argv {
		path, ok := below(dir, arg)
		if !ok {
			continue
		}
		handed[i] = path
		names = append(names, arg)
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		path, ok := below(dir, name)
		if !ok {
			return nil, nil, failed(CauseStart, "was not started: %q, which policy.sha256 names, is no regular file below the protocol's directory", name)
		}
		sum, err := digest(path)
		switch {
		case err != nil:
			return nil, nil, failed(CauseStart, "was not started: %q cannot be read", name)
		case also[name] != "" && !strings.EqualFold(also[name], sum):
			return nil, nil, failed(CauseStart, "was not started: %q has the SHA-256 %s, and policy.sha256 declares another", name, sum)
		}
		files = append(files, File{name, sum})
	}
	return handed, files, nil
}

// below is the absolute path of a regular file below dir.
func below(dir, name string) (string, bool) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	rel, err := filepath.Rel(dir, path)
	if name == "" || err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	info, err := os.Stat(path)
	return path, err == nil && info.Mode().IsRegular()
}

func digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Environment returns all that a program is told of its surroundings: PATH, HOME, LANG, TMPDIR
// and the names in also, as lookup has them, and what keeps libraries in step from run to run.
func Environment(lookup func(string) (string, bool), also []string) []string {
	fixed := []string{"OMP_NUM_THREADS=1", "PYTHONHASHSEED=0"}
	var out []string
	for _, name := range append([]string{"PATH", "HOME", "LANG", "TMPDIR"}, also...) {
		if value, ok := lookup(name); ok {
			out = append(out, name+"="+value)
		}
	}
	return append(out, fixed...) // of two that are alike the last one counts
}
