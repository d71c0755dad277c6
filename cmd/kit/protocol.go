package kit

import (
	"cmp"
	"errors"
	"os"
	"reflect"
	"slices"

	"banditaudit/replay"
	"banditaudit/schemas"
)

// LoadProtocol reads a protocol. A file that cannot be read is a mistake of the
// command line, not of the log.
func LoadProtocol(format *schemas.Catalogue, path string, o schemas.LoadOptions) (*schemas.Document, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, Usagef("%s is not a regular file; -p names a protocol in YAML", path)
	}
	doc, err := format.LoadProtocolWith(path, o)
	var problems schemas.Problems
	if err != nil && !errors.As(err, &problems) {
		return nil, Usagef("%s", err)
	}
	return doc, err
}

// Located turns the faults that an error joins into problems of the protocol at
// the places of their keys, in the order of the file; other errors stay as they
// are.
func Located(doc *schemas.Document, err error) error {
	var problems schemas.Problems
	var others []error
	for _, e := range Leaves(err) {
		if f, ok := errors.AsType[*replay.Fault](e); ok {
			problems = append(problems, doc.Problem(f.Path, f.Path+" "+f.What, f.Rule, f.Mend))
			continue
		}
		others = append(others, e)
	}
	if len(problems) == 0 {
		return err
	}
	slices.SortStableFunc(problems, func(a, b schemas.Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return errors.Join(append(others, problems)...)
}

// Leaves are the errors that were joined into one, as errors.Join does.
func Leaves(err error) []error {
	if err == nil {
		return nil
	}
	if reflect.TypeOf(err) != reflect.TypeOf(errors.Join(errors.ErrUnsupported)) {
		return []error{err} // also one that wraps several in a sentence of its own
	}
	var all []error
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		all = append(all, Leaves(e)...)
	}
	return all
}
