package resultsfile

import (
	"encoding/json"
	"errors"
	"fmt"

	"banditaudit/schemas"
)

// File is a results.json that is read strictly, one claim and one experiment at a
// time: it must have the form of its schema, hold no key twice, and end after
// the document.
type File struct {
	Head *schemas.Results // everything but claims and experiments

	catalogue *schemas.Catalogue
	document
}

// Open reads what stands around claims and experiments of a results.json, and checks
// every claim. Memory, in bytes, bounds what the process may take: no element of a list,
// no other member, and not all members together may be larger than a sixteenth of it, or
// the error of Open and of Experiments has ErrTooLarge in its chain. It has
// schemas.ErrInvalid there where the file is no results.json.
func Open(c *schemas.Catalogue, path string, memory int64) (*File, error) {
	f := &File{catalogue: c, document: document{path, memory / checkFactor, []string{keyClaims, keyExperiments}}}
	if err := f.readHead(); err != nil {
		return nil, err
	}
	return f, nil
}

// Claims reads the file again, as far as its claims go, and hands every claim to visit, in
// their order. It ends with the first error: of the file, or of visit.
func (f *File) Claims(visit func(*schemas.Finding) error) error {
	err := f.walk(func(e *element) error {
		if e.list != keyClaims {
			return nil
		}
		var c schemas.Finding // Open has seen its form
		if err := json.Unmarshal(e.text, &c); err != nil {
			return f.invalid(err)
		}
		return visit(&c)
	}, func(key string, _ json.RawMessage) error {
		if key == keyClaims {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// errEnough ends a walk that has seen what it was for.
var errEnough = errors.New("enough")

// Experiments reads the file once more and hands every experiment to visit, in
// their order. It ends with the first error: of the file, or of visit.
func (f *File) Experiments(visit func(*schemas.Experiment) error) error {
	form, err := f.catalogue.ResultsForm("#/$defs/Experiment")
	if err != nil {
		return err
	}
	b := &batch[schemas.Experiment]{document: &f.document, form: form, visit: visit}
	return b.end(f.walk(func(e *element) error {
		if e.list != keyExperiments {
			return nil
		}
		return b.take(e)
	}, func(string, json.RawMessage) error { return nil }))
}

// The members of the document that are long lists.
const (
	keyClaims      = "claims"
	keyExperiments = "experiments"
)

// readHead reads everything but the experiments, and keeps no claim.
func (f *File) readHead() error {
	form, err := f.catalogue.ResultsForm("#/$defs/Finding")
	if err != nil {
		return err
	}
	text, err := f.around(func(e *element) error {
		if e.list != keyClaims {
			return nil
		}
		_, fault := decode[schemas.Finding](&f.document, form, e)
		return fault
	})
	if err != nil {
		return err
	}
	whole, err := f.catalogue.ResultsForm("")
	if err != nil {
		return err
	}
	if f.Head, err = schemas.DecodeForm[schemas.Results](whole, text); err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	var protocol any // a number that no float64 holds has the form, and nobody can read it
	if err := json.Unmarshal(f.Head.Protocol, &protocol); err != nil {
		return f.invalid(fmt.Errorf("/protocol: %w", err))
	}
	return nil
}

// Inputs are the files of a log, as a manifest.json names them that is read as strictly as
// schemas.DecodeReplay does, one experiment at a time, within memory as Open.
func Inputs(path string, memory int64) ([]schemas.Input, error) {
	form, err := schemas.ManifestForm("#/$defs/ManifestExperiment")
	if err != nil {
		return nil, err
	}
	whole, err := schemas.ManifestForm("")
	if err != nil {
		return nil, err
	}
	d := &document{path, memory / checkFactor, []string{keyExperiments}}
	text, err := d.around(func(e *element) error {
		_, fault := decode[schemas.ManifestExperiment](d, form, e)
		return fault
	})
	if err != nil {
		return nil, err
	}
	m, err := schemas.DecodeForm[schemas.Manifest](whole, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m.Inputs, nil
}
