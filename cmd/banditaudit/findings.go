package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/klauspost/compress/s2"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/atomicdir"
	"banditaudit/ingest/tableaudir"
	"banditaudit/report/digest"
	"banditaudit/report/exchange"
	"banditaudit/report/tables"
	"banditaudit/schemas"
	"banditaudit/schemas/resultsfile"
)

// findings takes the outcomes of experiments one after another and keeps of
// them what the documents show; everything else goes to disk at once.
type findings struct {
	assembly *aggregate.Assembly
	results  *resultsfile.Writer
	spills   []*spill // of claims, of experiments and of cases of JUnit
	digest   *digest.Digest
	tables   []*tables.Writer
	junit    *exchange.JUnit      // nil: none is written
	asserted []exchange.Assertion // all claims, for openlineage.json; nil: it is not written
}

// newFindings begins a collection of what is to be path, whose experiments wait beside it
// until the verdicts that stand before them are known.
func (pl *pipeline) newFindings(path string, inputs []schemas.Input) (*findings, error) {
	effective, err := pl.doc.Effective()
	if err != nil {
		return nil, err
	}
	f := &findings{assembly: aggregate.New(bundle.Tool(), effective, inputs), digest: pl.p.newDigest()}
	if pl.s.openLineage {
		f.asserted = []exchange.Assertion{}
	}
	f.assembly.Commit(pl.committed)
	f.assembly.Apart()
	for range 3 {
		s, err := newSpill(path)
		if err != nil {
			return nil, errors.Join(err, f.discard())
		}
		f.spills = append(f.spills, s)
	}
	f.results, f.junit = resultsfile.NewWriter(pl.p.catalogue.Format(), f.spills[0], f.spills[1]), exchange.NewJUnit(f.spills[2])
	return f, nil
}

// newDigest is an empty digest that knows what the catalogue says of settings and
// claims.
func (p *process) newDigest() *digest.Digest {
	return &digest.Digest{Catalogue: *p.catalogue.Format()}
}

// spill keeps text until it is written out, once: in a file beside the output, in S2,
// which takes about a tenth of the text's room and knows its own damage.
type spill struct {
	file *os.File
	*s2.Writer
}

// newSpill makes a file without a name, which the system removes when the
// process ends, however that happens. Where the system removes no file that is open,
// it has its name until discard.
func newSpill(path string) (*spill, error) {
	f, err := atomicdir.NewSecret(path, 0o600)
	if err != nil {
		return nil, kit.NotWritten(err)
	}
	err = os.Remove(f.Name())
	if runtime.GOOS == "windows" {
		err = nil
	}
	return &spill{f.File, s2.NewWriter(f.File, s2.WriterConcurrency(1), s2.WriterBlockSize(spillBlock))}, kit.NotWritten(err)
}

// spillBlock is how many bytes of a spill are packed at a time.
const spillBlock = 256 << 10

// WriteTo writes all out. Nothing can be written to the spill after it.
func (s *spill) WriteTo(to io.Writer) (int64, error) {
	if err := s.Close(); err != nil {
		return 0, err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.Copy(to, s2.NewReader(s.file, s2.ReaderMaxBlockSize(spillBlock)))
	if errors.Is(err, s2.ErrCorrupt) || errors.Is(err, s2.ErrCRC) {
		err = fmt.Errorf("a temporary file in %s is not what was written to it: %w; try again, and suspect the disk", filepath.Dir(s.file.Name()), err)
	}
	return n, err
}

// discard lets go of the file.
func (s *spill) discard() error {
	err := s.file.Close()
	if fault := os.Remove(s.file.Name()); !errors.Is(fault, fs.ErrNotExist) {
		err = errors.Join(err, fault)
	}
	return err
}

// add takes up the next outcome.
func (f *findings) add(o *aggregate.Outcome) error {
	f.assembly.Add(o)
	f.digest.Add(&o.Experiment)
	f.digest.AddClaims(o.Claims)
	if f.asserted != nil {
		f.asserted = append(f.asserted, exchange.Asserted(o.Claims)...)
	}
	faults := []error{f.junit.Add(o.Claims)}
	for _, t := range f.tables {
		faults = append(faults, t.Add(&o.Experiment), t.AddClaims(o.Claims))
	}
	if err := errors.Join(faults...); err != nil {
		return kit.NotWritten(err)
	}
	if err := f.results.AddClaims(o.Claims); err != nil {
		return notResults(err)
	}
	return notResults(f.results.Add(&o.Experiment))
}

// finish writes results.json and what is about the whole run.
func (f *findings) finish(out io.Writer) error {
	head := f.assembly.Head()
	f.digest.Finish(head)
	if err := notResults(f.results.Finish(out, head)); err != nil {
		return err
	}
	var faults []error
	for _, t := range f.tables {
		faults = append(faults, kit.NotWritten(t.Finish(head)))
	}
	return errors.Join(faults...)
}

// discard lets go of all files; what finish has closed stays closed.
func (f *findings) discard() error {
	var faults []error
	for _, s := range f.spills {
		faults = append(faults, s.discard())
	}
	for _, t := range f.tables {
		faults = append(faults, t.Abandon())
	}
	return errors.Join(faults...)
}

// notResults tells a defect of this program from a disk that is full: what does
// not meet the schema of results is never a file.
func notResults(err error) error {
	if errors.Is(err, schemas.ErrInvalid) {
		return kit.Panic(fmt.Errorf("results do not meet their schema: %w", err), "")
	}
	return kit.NotWritten(err)
}

// printResults writes the summary of an audit, or with --json the results.json
// at path, with --json=summary what it comes to.
func printResults(p *process, s *settings, d *digest.Digest, path string) error {
	if s.Summary {
		return s.PrintDocument(schemas.SummaryOf(d.Results, d.Sums(), d.Count(), pathsOf(s.Out)), nil)
	}
	if s.JSON {
		return printFile(p, path)
	}
	if s.Quiet {
		return nil
	}
	return kit.NotWritten(terminal.Results(p.Stdout, p.catalogue.analysis.Checks, d, s.Look))
}

// pathsOf are the places of what was written to out, a bundle or a results.json.
func pathsOf(out string) schemas.SummaryPaths {
	if info, err := os.Stat(out); err != nil || !info.IsDir() {
		return schemas.SummaryPaths{Results: out}
	}
	return schemas.SummaryPaths{
		Bundle: out, Results: filepath.Join(out, kit.ResultsFile), Report: filepath.Join(out, kit.HTMLFile),
		Tables: filepath.Join(out, kit.TablesDir), Manifest: filepath.Join(out, tableaudir.ManifestFile),
	}
}

// printFile copies a file to stdout.
func printFile(p *process, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return kit.NotWritten(err)
	}
	_, err = io.Copy(p.Stdout, f)
	return kit.NotWritten(errors.Join(err, f.Close()))
}
