// Command generate writes the JSON Schemas of the documents in package schemas
// from their Go types: keys from the json tags, bounds from the schema tags,
// descriptions from the comments, and what a protocol may name from the
// standard catalogue.
//
//	go generate ./schemas
package main

import (
	"fmt"
	"os"
	"reflect"

	"banditaudit/analyze"
	"banditaudit/analyze/decide/shard"
	"banditaudit/schemas"
)

// document is a document with a schema of its own.
type document struct {
	name, title string
	root        reflect.Type
}

func documents() []document {
	return []document{
		{"protocol", "protocol.yaml of banditaudit, version 1", reflect.TypeFor[schemas.Protocol]()},
		{"results", "results.json of banditaudit, version 1", reflect.TypeFor[schemas.Results]()},
		{"manifest", "manifest.json of banditaudit, version 1", reflect.TypeFor[schemas.Manifest]()},
		{"replay", "replay.json of banditaudit, version 1", reflect.TypeFor[schemas.Replay]()},
		{"reproduce", "reproduce.json of banditaudit, version 1", reflect.TypeFor[schemas.Reproduction]()},
		{"plan", "plan.json of banditaudit, version 1", reflect.TypeFor[schemas.Plan]()},
		{"summary", "what --json=summary of banditaudit prints, version 1", reflect.TypeFor[schemas.Summary]()},
		{"census", "log.json of banditaudit census, version 1", reflect.TypeFor[schemas.Census]()},
		{"fragment", "the first line of a fragment of banditaudit, version 1", reflect.TypeFor[shard.Head]()},
		{"merged", "manifest.json of banditaudit merge, version 1", reflect.TypeFor[shard.Manifest]()},
	}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run writes every schema into the working directory, that of package schemas.
func run() error {
	from, err := read(".", "param", "../analyze/decide/shard")
	if err != nil {
		return err
	}
	for _, d := range documents() {
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
