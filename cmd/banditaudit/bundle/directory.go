// Package bundle has the directories that audit writes: whether one is as it was written, whether
// it can be made again, what changed from one to another, who signed it and what was committed to.
package bundle

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/fault"
	"banditaudit/schemas"
	"banditaudit/schemas/resultsfile"
)

// WriteChecksums writes checksums.txt in the form that `sha256sum -c` reads.
func WriteChecksums(dir *kit.OutputDir) error {
	found, _, err := FilesOf(os.DirFS(dir.Temp))
	if err != nil {
		return kit.NotWritten(err)
	}
	return dir.Write(kit.ChecksumsFile, attest.Checksums(found))
}

// FilesOf are the files that the checksums of a bundle list: all but the list and the
// mark of success. odd is what no bundle has: links, pipes, directories without files, and
// names that no list can hold.
func FilesOf(files fs.FS) (found []attest.Entry, odd []attest.Change, err error) {
	var dirs []string
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || name == "." || name == kit.ChecksumsFile || name == kit.SuccessFile:
			return err
		case !attest.Listable(name):
			odd = append(odd, attest.Change{Name: name, What: attest.Added, Why: "its name is no UTF-8, or holds a control character or a backslash"})
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			dirs = append(dirs, name)
			return nil
		case !entry.Type().IsRegular():
			odd = append(odd, attest.Change{Name: name, What: attest.Added, Why: "it is no regular file"})
			return nil
		}
		sum, err := digestOf(files, name)
		found = append(found, attest.Entry{Name: name, SHA256: sum})
		return err
	})
	for _, dir := range dirs {
		if !slices.ContainsFunc(found, func(f attest.Entry) bool { return strings.HasPrefix(f.Name, dir+"/") }) {
			odd = append(odd, attest.Change{Name: dir, What: attest.Added, Why: "it is a directory without files"})
		}
	}
	return found, odd, err
}

// digestOf is the SHA-256 of a file, which is read in pieces.
func digestOf(files fs.FS, name string) (sum string, err error) {
	f, err := files.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

// Dir is a directory that audit wrote, as it stands.
type Dir struct {
	Format *schemas.Catalogue // what its protocol may name
	Dir    string
	files  []attest.Entry
	list   []byte // checksums.txt
	odd    []attest.Change

	results   *resultsfile.File // nil where it cannot be read
	Fault     error             // why
	audit     outcome
	memory    int64             // that is allowed
	inputs    []schemas.Input   // of the log, as the manifest has them; nil where unsound could not read it
	effective *schemas.Protocol // of protocol.effective.yaml, likewise
	fragments bool              // are given beside it, not a log
	ids       []string          // of the experiments, as readExperiments saw
	seeded    bool              // an experiment was replayed from the seed, as readExperiments saw
	refused   bool              // likewise, the policy's program was not run, for that was not allowed
	sums      sums              // of the claims
	judged    bool              // a claim on the quality of the data is among them
	unread    []unread          // documents of which unlike could not judge anything
}

// Open reads what a bundle is by its files.
func Open(format *schemas.Catalogue, dir string) (*Dir, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, kit.BadInput(err)
	} else if !info.IsDir() {
		return nil, kit.BadInput(fmt.Errorf("%s is no directory; verify takes the directory that audit wrote", schemas.Printable(dir)))
	}
	b := &Dir{Format: format, Dir: dir}
	var err error
	if b.files, b.odd, err = FilesOf(os.DirFS(dir)); err != nil {
		return nil, kit.BadInput(err)
	}
	list, err := kit.ReadDocument(filepath.Join(dir, kit.ChecksumsFile))
	named := slices.ContainsFunc(b.files, func(f attest.Entry) bool { return f.Name == kit.ResultsFile })
	switch {
	case err == nil:
		b.list = list
	case isOdd(filepath.Join(dir, kit.ChecksumsFile)): // which changes says
	case !errors.Is(err, fs.ErrNotExist):
		return nil, kit.BadInput(err)
	case !named:
		return nil, kit.BadInput(fmt.Errorf("%s holds neither %s nor %s: it is no bundle of banditaudit audit", schemas.Printable(dir), kit.ChecksumsFile, kit.ResultsFile))
	}
	return b, nil
}

// isOdd reports whether something stands under a name that is no regular file.
func isOdd(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// Read reads what stands around the experiments of the results.
func (b *Dir) Read(memory int64) {
	b.memory = memory
	if b.results, b.Fault = OpenResults(b.Format, filepath.Join(b.Dir, kit.ResultsFile), memory); b.Fault != nil {
		return
	}
	b.audit.Overall = b.results.Head.Overall
	err := b.results.Claims(func(c *schemas.Finding) error {
		if c.Kind == schemas.KindCommitted {
			b.audit.Committed = c.Verdict
		}
		b.sums = sums(schemas.Overall(b.sums).With(c))
		b.judged = b.judged || c.Kind == schemas.KindDataQuality
		return nil
	})
	if err != nil {
		b.results, b.Fault, b.audit = nil, ResultsError(err), outcome{}
	}
}

// Changes names every file that is not as checksums.txt lists it.
func (b *Dir) Changes() []attest.Change {
	out := []attest.Change{}
	switch {
	case b.list != nil:
		out = append(out, attest.Judge(kit.ChecksumsFile, b.list, b.files)...)
	case !isOdd(filepath.Join(b.Dir, kit.ChecksumsFile)):
		out = append(out, attest.Change{Name: kit.ChecksumsFile, What: attest.Missing})
	}
	for _, name := range []string{kit.ChecksumsFile, kit.SuccessFile} {
		switch info, err := os.Lstat(filepath.Join(b.Dir, name)); {
		case err != nil && name == kit.SuccessFile:
			out = append(out, attest.Change{Name: name, What: attest.Missing})
		case err == nil && !info.Mode().IsRegular():
			out = append(out, attest.Change{Name: name, What: attest.Changed, Why: "it is no regular file"})
		case err == nil && name == kit.SuccessFile && info.Size() > 0:
			out = append(out, attest.Change{Name: name, What: attest.Changed, Why: "it is not empty"})
		}
	}
	return append(out, b.odd...)
}

// EnvelopeOf is where the envelope of a bundle stands: beside what a link points to.
func EnvelopeOf(dir string) string {
	dir = kit.Followed(dir)
	if name := filepath.Base(dir); name == "." || name == ".." { // which is no name to put anything behind
		if whole, err := filepath.Abs(dir); err == nil {
			dir = kit.Followed(whole)
		}
	}
	return dir + ".dsse.json"
}

// Signed judges the envelope beside a bundle. Without keys it is named and not judged.
func (b *Dir) Signed(keys []ed25519.PublicKey, threshold int) (Signatures, error) {
	s := Signatures{Threshold: threshold, Signers: []string{}, Others: []string{}}
	text, err := kit.ReadDocument(EnvelopeOf(b.Dir))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if threshold > 0 {
			s.Fault = "there is no envelope " + EnvelopeOf(b.Dir)
		}
		return s, nil
	case isOdd(EnvelopeOf(b.Dir)):
		s.Fault = EnvelopeOf(b.Dir) + " is no regular file"
		return s, nil
	case err != nil:
		return s, kit.BadInput(err)
	}
	s.Envelope = true
	s.Fault = b.unsigned(&s, text, keys)
	return s, nil
}

// unsigned judges an envelope and says why its signatures do not hold; "" where they do,
// or no key is given.
func (b *Dir) unsigned(s *Signatures, text []byte, keys []ed25519.PublicKey) string {
	e, err := attest.Decode(text)
	if err != nil {
		return filepath.Base(EnvelopeOf(b.Dir)) + " is " + err.Error()
	}
	good := e.Signed(keys)
	for _, sig := range e.Signatures {
		if slices.ContainsFunc(good, func(k ed25519.PublicKey) bool { return attest.KeyID(k) == sig.KeyID }) {
			s.Signers = append(s.Signers, sig.KeyID)
		} else {
			s.Others = append(s.Others, sig.KeyID)
		}
	}
	switch {
	case s.Threshold == 0:
		return ""
	case len(e.Spoilt(keys)) > 0:
		return "a key that was given did not make the signature that stands under its id: " + strings.Join(e.Spoilt(keys), ", ")
	case len(good) < s.Threshold:
		return fmt.Sprintf("%d of the given keys signed, %d are needed; the envelope names %s", len(good), s.Threshold, strings.Join(slices.Concat(s.Signers, s.Others), ", "))
	}
	want, err := b.Statement()
	if err != nil {
		s.limit = errors.Is(err, fault.ErrResource)
		return "what was signed cannot be told from the bundle: " + err.Error()
	}
	if differs := attest.Mismatch(e.Payload, want); differs != "" {
		return "the envelope is not of this bundle: " + differs
	}
	return ""
}

// signedBytes is what a verdict takes in a statement, and that in an envelope.
const signedBytes = 2 << 10

// Statement is what is signed of a bundle: every verdict, all at once.
func (b *Dir) Statement() ([]byte, error) {
	if b.Fault != nil {
		return nil, b.Fault
	}
	left := b.memory / signedBytes
	return attest.Audit(b.files, b.results.Head, func(visit func(*schemas.Finding) error) error {
		return b.results.Claims(func(c *schemas.Finding) error {
			if left--; left < 0 {
				return fmt.Errorf("%w: a signature is of all verdicts at once, more than %d; raise --max-memory", fault.ErrResource, b.memory/signedBytes)
			}
			return visit(c)
		})
	}, kit.VolatileFiles()...)
}

// Tool is the program that writes bundles.
func Tool() schemas.Tool { return schemas.Tool{Name: "banditaudit", Version: kit.Version} }
