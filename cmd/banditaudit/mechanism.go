package main

import (
	"errors"
	"os"
	"path/filepath"

	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/atomicdir"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/replay/conformance/programreplay"
	"banditaudit/schemas"
)

// declare builds the mechanism that a protocol declares over arms. What keeps
// it from being built are problems of the protocol.
func declare(c *replay.Catalogue, doc *schemas.Document, arms []string) (*conformance.Declared, error) {
	d, err := conformance.Declare(c, &doc.Protocol, arms)
	return d, kit.Located(doc, err)
}

// buildable reports what keeps the declared mechanism from being built, before
// a log is read, as schemas.Problems. Where arms are declared it returns what
// was built. Where they are not, the log says how many there are, and it tries
// the number that asks for least and returns nil.
func buildable(c *replay.Catalogue, doc *schemas.Document) (*conformance.Declared, error) {
	p := &doc.Protocol
	if len(p.Arms) > 0 {
		return declare(c, doc, p.Arms)
	}
	if p.Policy == nil {
		return nil, nil //nolint:nilnil // nothing to build, and nothing wrong
	}
	_, err := declare(c, doc, make([]string, max(1, p.Policy.Own.Longest())))
	return nil, err
}

// buildable holds on to what was built.
func (pl *pipeline) buildable() (err error) {
	pl.declared, err = buildable(pl.p.catalogue.Catalogue, pl.doc)
	return err
}

// placed puts the problems of a protocol that showed only with the log at
// their places in the file. They are problems of the log as a whole, whichever experiment
// met them.
func placed(doc *schemas.Document, err error) error {
	var problems schemas.Problems
	if !errors.As(err, &problems) {
		return err
	}
	out := make(schemas.Problems, len(problems))
	for i, p := range problems {
		out[i] = p
		if p.Line == 0 {
			out[i] = doc.Problem(p.Path, p.What, p.Why, p.Mend)
		}
	}
	return out
}

// allow lets the policy be run where it is a program and --allow-exec is given.
func (pl *pipeline) allow() {
	if pl.doc.Protocol.Program == nil || !pl.s.allowExec || pl.declared.Programs != nil {
		return
	}
	pl.declared.Programs = &programreplay.Programs{Dir: filepath.Dir(pl.s.Protocol), Lookup: os.LookupEnv, Said: pl.programSaid}
}

// programPrefix begins the names of the places in which programs have their directories.
const programPrefix = "banditaudit-programs-"

// withPrograms runs work, in which programs may be run. Whatever is left of them is
// removed.
func (pl *pipeline) withPrograms(work func() error) (err error) {
	p := pl.declared.Programs
	if p == nil {
		return work()
	}
	place, err := atomicdir.Make(os.TempDir(), programPrefix, 0o700)
	if err != nil {
		return kit.NotWritten(err)
	}
	p.Scratch = place.Path
	defer func() { err = errors.Join(err, p.Close(), kit.NotWritten(place.Remove())) }()
	return work()
}

// programSaid passes on what a program that failed wrote to its standard error. It stands in
// no output, for it may hold data.
func (pl *pipeline) programSaid(experiment, failure, last string) {
	pl.s.Warn("experiment %s: %s; its last words: %s", schemas.Quoted(experiment), failure, schemas.Quoted(last))
}
