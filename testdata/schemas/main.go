// Command generate writes the JSON Schemas of the documents of a package from their Go
// types: keys from the json tags, bounds from the schema tags, descriptions from the
// comments, and what a protocol may name from the standard catalogue.
//
//	go generate ./schemas ./cmd/banditlab/documents
package main

import (
	"fmt"
	"os"
	"reflect"
	"strings"

	"banditaudit/analyze"
	"banditaudit/analyze/decide/shard"
	"banditaudit/cmd/banditlab/documents"
	"banditaudit/schemas"
)

// document is a document with a schema of its own.
type document struct {
	name, title string
	root        reflect.Type
}

// room is a package whose directory holds schemas.
type room struct {
	documents []document
	sources   []string // directories with the types, from the package's own
}

func rooms() map[string]room {
	return map[string]room{
		"schemas":   {ofAudit(), []string{".", "param", "../analyze/decide/shard"}},
		"documents": {ofLaboratory(), []string{".", "../../../schemas"}},
	}
}

// ofLaboratory lists the documents that banditlab writes.
func ofLaboratory() []document {
	return []document{
		{"plan", "plan.json of banditlab, version 1", reflect.TypeFor[documents.Plan]()},
		{"reproduce", "reproduce.json of banditlab, version 1", reflect.TypeFor[documents.Reproduction]()},
	}
}

// ofAudit lists the documents that banditaudit reads and writes.
func ofAudit() []document {
	return []document{
		{"protocol", "protocol.yaml of banditaudit, version 1", reflect.TypeFor[schemas.Protocol]()},
		{"results", "results.json of banditaudit, version 1", reflect.TypeFor[schemas.Results]()},
		{"manifest", "manifest.json of banditaudit, version 1", reflect.TypeFor[schemas.Manifest]()},
		{"replay", "replay.json of banditaudit, version 1", reflect.TypeFor[schemas.Replay]()},
		{"summary", "what --json=summary of banditaudit prints, version 1", reflect.TypeFor[schemas.Summary]()},
		{"census", "log.json of banditaudit census, version 1", reflect.TypeFor[schemas.Census]()},
		{"fragment", "the first line of a fragment of banditaudit, version 1", reflect.TypeFor[shard.Head]()},
		{"merged", "manifest.json of banditaudit merge, version 1", reflect.TypeFor[shard.Manifest]()},
	}
}

func main() {
	if err := run(strings.Join(os.Args[1:], " ")); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run writes every schema of a package into the working directory, which is the package's.
func run(name string) error {
	in, ok := rooms()[name]
	if !ok {
		return fmt.Errorf("no package with schemas is called %q", name)
	}
	from, err := read(in.sources...)
	if err != nil {
		return err
	}
	for _, d := range in.documents {
		text, err := schemaOf(d, from)
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		if d.name == "protocol" {
			if text, err = analyze.Standard().Format().Describe(text); err != nil {
				return err
			}
		}
		if err := os.WriteFile(d.name+".schema.json", text, 0o644); err != nil { //nolint:gosec // a source file, readable as all are
			return err
		}
	}
	return nil
}
