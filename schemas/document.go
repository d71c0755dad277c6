// Package schemas holds every document that crosses a process boundary: the
// protocol an experimenter declares, the manifest of a tableau, the output of
// replay and the results of an audit, as strict Go types beside their JSON
// Schemas.
//
// The package imports nothing of this module but what stands below it. Every other package speaks to
// its neighbours through these types, so a stage can be run alone, by a
// scheduler or by another program, on the files of the stage before it.
package schemas

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"banditaudit/schemas/tree"
)

// MaxProtocolBytes bounds the size of a protocol file.
const MaxProtocolBytes = tree.MaxBytes

// Document is a protocol that was read and found right: the declarations with
// their defaults, and where in the file each of them stands.
type Document struct {
	Protocol Protocol // defaults applied
	Name     string   // the file's name as it was given
	Source   []byte   // the file as it was read
	Warnings Problems // what is allowed and unwise; nothing stops

	places map[string]tree.Place
	filled *likeFilled
}

// SeedFile is the path of the file with the seed that the protocol names, or "".
func (d *Document) SeedFile() string {
	if d.Protocol.Policy == nil || d.Protocol.Policy.Seed == nil || d.Protocol.Policy.Seed.File == "" {
		return ""
	}
	if name := d.Protocol.Policy.Seed.File; filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(d.Name), d.Protocol.Policy.Seed.File)
}

// LoadOptions varies what LoadProtocolWith demands.
type LoadOptions struct {
	SkipSeed bool // do not read policy.seed.file. Defaults to reading it: a named file that is missing is a problem.
}

// ParseProtocol reads a protocol from src, of the things that the catalogue lists; name stands in messages. It reads
// no other file: a seed file is left unread, and Seed.Bytes nil.
//
// The error is a Problems with every fault that could be found: unknown,
// repeated and missing keys, values of the wrong type or outside their range,
// contradictions between keys, and what this version does not support.
func (c *Catalogue) ParseProtocol(name string, src []byte) (*Document, error) {
	d, problems := c.parse(name, src)
	if len(problems) > 0 {
		problems.undecided(src)
		return nil, problems.sorted()
	}
	return d, nil
}

// LoadProtocol reads the protocol at path and the seed file it names,
// relative to the protocol's directory. The error is a Problems, or an
// *os.PathError where path itself cannot be read.
func (c *Catalogue) LoadProtocol(path string) (*Document, error) {
	return c.LoadProtocolWith(path, LoadOptions{})
}

// absentError says that there is no such protocol.
type absentError struct {
	path string
	err  error
}

// Error names the path.
func (e *absentError) Error() string {
	return "the protocol " + Printable(e.path) + " does not exist; check the path"
}

// Unwrap is what the system said.
func (e *absentError) Unwrap() error { return e.err }

// LoadProtocolWith is LoadProtocol with options.
func (c *Catalogue) LoadProtocolWith(path string, o LoadOptions) (*Document, error) {
	src, err := readBounded(path, MaxProtocolBytes+1)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &absentError{path, err}
	}
	if err != nil {
		return nil, fmt.Errorf("reading the protocol: %w", err)
	}
	d, problems := c.parse(path, src)
	if d != nil && !o.SkipSeed {
		problems = append(problems, d.readSeed(filepath.Dir(path))...)
	}
	if len(problems) > 0 {
		problems.undecided(src)
		return nil, problems.sorted()
	}
	return d, nil
}

// At returns the position of a key path such as "analysis.tests[0].mean", or
// of the nearest enclosing path that stands in the file. It returns 0, 0 for a
// document that was not read from text.
func (d *Document) At(path string) (line, col int) {
	at := locate(d.places, path)
	return at.Line, at.Col
}

// Given reports whether the key path stands in the file; a default does not.
func (d *Document) Given(path string) bool {
	_, ok := d.places[path]
	return ok
}

// Problem returns a problem at a key path, for faults that show only when the
// protocol meets a log.
func (d *Document) Problem(path, what, why, mend string) Problem {
	line, col := d.At(path)
	why, mend = d.filled.says(path, why, mend)
	return Problem{File: d.Name, Line: line, Col: col, Path: path, What: what, Why: why, Mend: mend}
}

// locate finds the place of a path or of its nearest ancestor.
func locate(places map[string]tree.Place, path string) tree.Place {
	for ok := true; ok; path, ok = enclosing(path) {
		if at, found := places[path]; found {
			return at
		}
	}
	return places[""]
}

// parse reads, fills in defaults and checks. The document is nil where the
// text is no YAML mapping at all.
func (c *Catalogue) parse(name string, src []byte) (*Document, Problems) {
	d, r := c.read(name, src)
	if d == nil {
		return nil, r.problems
	}
	undeclared(&d.Protocol)
	judge := newChecker(d, r)
	analysisRules{judge}.alpha() // before a default takes the place of a declared 0
	rerunRules{judge}.rerunCounts()
	c.applyDefaults(&d.Protocol)
	(&lacking{judge}).all()
	judge.rules()
	d.Warnings = append(d.Warnings, d.steeredMeans()...)
	return d, judge.problems
}

// read turns text into declarations without judging them.
func (c *Catalogue) read(name string, src []byte) (*Document, *reader) {
	r := newReader(c, name)
	root := tree.Parse(src, shown, func(at tree.Place, what, why, mend string) { r.report("", at, what, why, mend) })
	if root == nil {
		return nil, r
	}
	d := &Document{Name: name, Source: src, places: r.places}
	r.decode(root, &d.Protocol)
	d.Warnings, d.filled = r.warnings, r.filled
	return d, r
}

// errNotRegular says that a path names a directory, a pipe or a device.
var errNotRegular = errors.New("not a regular file")

// readBounded reads at most limit bytes of a regular file.
func readBounded(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path) // before it is opened: opening a pipe would wait for its writer
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &os.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, limit))
	return b, errors.Join(err, f.Close())
}

// maxSeedFile bounds what is read of a seed file: 64 digits and white space.
const maxSeedFile = 4096

// readSeed reads the seed file that the policy names, relative to dir, and
// compares it with the digest where one is declared.
func (d *Document) readSeed(dir string) Problems {
	declared := cmp.Or(d.Protocol.Policy, d.Protocol.Program)
	if declared == nil || declared.Seed == nil || declared.Seed.File == "" {
		return nil
	}
	const path = "policy.seed.file"
	s := declared.Seed
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
	digest := s.SHA256
	s.keep(master)
	if digest != "" && !strings.EqualFold(digest, s.SHA256) {
		return Problems{d.Problem("policy.seed.sha256", "policy.seed.sha256 is not the digest of the seed in "+shown(s.File), "the protocol commits to another seed", "find the seed that was used, or correct the digest")}
	}
	return nil
}
