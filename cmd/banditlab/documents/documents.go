// Package documents holds what the laboratory writes for other programs, as strict Go types
// beside their JSON Schemas: plan.json and reproduce.json.
package documents

import (
	"embed"
	"fmt"
	"strings"

	"banditaudit/schemas"
)

//go:generate go run ../../../testdata/schemas $GOPACKAGE
//go:embed *.schema.json
var schemaFiles embed.FS

// Names of documents.
const (
	planName      = "plan"
	reproduceName = "reproduce"
)

// Names lists the documents.
func Names() []string { return []string{planName, reproduceName} }

// JSONSchema returns the JSON Schema (draft 2020-12) of a document that Names lists.
func JSONSchema(name string) ([]byte, error) {
	b, err := schemaFiles.ReadFile(name + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("no schema is called %s; there are: %s", schemas.Quoted(name), strings.Join(Names(), ", "))
	}
	return b, nil
}

// ValidatePlan reports every place where b is not a plan.json.
func ValidatePlan(b []byte) error { return validate(planName, b) }

// ValidateReproduction reports every place where b is not a reproduce.json.
func ValidateReproduction(b []byte) error { return validate(reproduceName, b) }

// DecodePlan reads plan.json strictly: it must have the form of its schema, hold no key
// twice, and end after the document.
func DecodePlan(b []byte) (*Plan, error) { return decode[Plan](planName, b) }

// DecodeReproduction reads reproduce.json as strictly as DecodePlan reads plan.json.
func DecodeReproduction(b []byte) (*Reproduction, error) {
	return decode[Reproduction](reproduceName, b)
}

func validate(name string, b []byte) error {
	form, err := formOf(name)
	if err != nil {
		return err
	}
	return form.Check(b)
}

func decode[T any](name string, b []byte) (*T, error) {
	form, err := formOf(name)
	if err != nil {
		return nil, err
	}
	return schemas.DecodeForm[T](form, b)
}

// formOf returns the form of a document.
func formOf(name string) (*schemas.Form, error) {
	schema, err := JSONSchema(name)
	if err != nil {
		return nil, err
	}
	return schemas.NewForm(name, schema)
}
