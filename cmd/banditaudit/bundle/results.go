package bundle

import (
	"errors"
	"fmt"
	"regexp"

	"banditaudit/cmd/kit"
	"banditaudit/ingest/fault"
	"banditaudit/schemas"
	"banditaudit/schemas/resultsfile"
)

// OpenResults reads what stands around claims and experiments of a results.json.
func OpenResults(format *schemas.Catalogue, path string, memory int64) (*resultsfile.File, error) {
	if err := kit.CheckDocument(path); err != nil {
		return nil, kit.BadInput(err)
	}
	results, err := resultsfile.Open(format, path, memory)
	if errors.Is(err, schemas.ErrInvalid) {
		err = otherVersion(path, err)
	}
	if err != nil {
		return nil, ResultsError(err)
	}
	return results, nil
}

// ResultsError tells a file that is at fault from one that is too large.
func ResultsError(err error) error {
	if errors.Is(err, resultsfile.ErrTooLarge) {
		return fmt.Errorf("%w: %w; raise --max-memory", fault.ErrResource, err)
	}
	return kit.BadInput(err)
}

// writtenBy is the version that a results.json names in its first bytes.
var writtenBy = regexp.MustCompile(`^\{\s*"schema": "(results\.v[0-9]+)",\s*"tool": \{\s*"name": "banditaudit",\s*"version": "([^"]+)"`)

// otherVersion says of results that cannot be read that another version wrote them; the
// error as it is where this one did.
func otherVersion(path string, err error) error {
	start, unread := kit.ReadStart(path)
	m := writtenBy.FindSubmatch(start)
	if unread != nil || m == nil || string(m[2]) == kit.Version {
		return err
	}
	return fmt.Errorf("%s has the form %s of version %s, which this version, %s, does not read: it reads results.v1 of versions from 0.2 on that are not newer than itself: %w",
		schemas.Printable(path), m[1], schemas.Printable(string(m[2])), kit.Version, err)
}
