package main

import (
	"os"
	"path/filepath"

	"banditaudit/replay/conformance/interview"
	"banditaudit/schemas"
)

// allow lets the policy be run where it is a program and --allow-exec is given.
func (pl *pipeline) allow() {
	if pl.doc.Protocol.Program == nil || !pl.s.allowExec || pl.declared.Programs != nil {
		return
	}
	pl.declared.Programs = &interview.Programs{Dir: filepath.Dir(pl.s.protocol), Lookup: os.LookupEnv, Said: pl.programSaid}
}

// programSaid passes on what a program that failed wrote to its standard error. It stands in
// no output, for it may hold data.
func (pl *pipeline) programSaid(experiment, failure, last string) {
	pl.notes.warn("experiment %s: %s; its last words: %s", schemas.Quoted(experiment), failure, schemas.Quoted(last))
}
