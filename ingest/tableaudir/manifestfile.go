package tableaudir

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"banditaudit/ingest/fault"
	"banditaudit/schemas"
)

// manifestFactor is how many times the size of its file a manifest takes: the
// experiments as they are decoded, as the tableau has them, and while they are
// checked.
const manifestFactor = 4

// readManifest reads and checks a manifest, whose long lists are decoded one
// item at a time.
func readManifest(path string, memory int64) (*schemas.Manifest, error) {
	info, err := os.Stat(path) // before it is opened: opening a pipe would wait for its writer
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a manifest's file")
	}
	if info.Size() > memory/manifestFactor {
		return nil, fmt.Errorf("%w: a manifest of %d MiB takes about %d MiB, of %d allowed; raise --max-memory, or ingest fewer experiments at a time",
			fault.ErrResource, info.Size()>>20, manifestFactor*info.Size()>>20, memory>>20)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err = schemas.PlainKeys(bufio.NewReaderSize(file, 1<<16)); err != nil {
		return nil, err
	}
	if _, err = file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	m, err := decodeManifest(json.NewDecoder(bufio.NewReaderSize(file, 1<<16)))
	if err != nil {
		return nil, err
	}
	return m, checkManifest(m)
}

// decodeManifest decodes one document, after which nothing may stand.
func decodeManifest(d *json.Decoder) (*schemas.Manifest, error) {
	d.DisallowUnknownFields()
	if err := delimiter(d, '{'); err != nil {
		return nil, err
	}
	m, seen, members := new(schemas.Manifest), map[string]bool{}, []byte("{")
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, _ := t.(string) // of an object every first token is one
		if seen[key] {
			return nil, fmt.Errorf("the key %s stands twice", schemas.Quoted(key))
		}
		seen[key] = true
		switch key {
		case "arms":
			m.Arms, err = decodeList[string](d)
		case "context":
			m.Context, err = decodeList[string](d)
		case "experiments":
			m.Experiments, err = decodeList[schemas.ManifestExperiment](d)
		default:
			members, err = appendMember(members, d, key)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", schemas.Quoted(key), err)
		}
	}
	if err := delimiter(d, '}'); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the end of the document")
	}
	rest := json.NewDecoder(bytes.NewReader(append(members, '}')))
	rest.DisallowUnknownFields()
	return m, rest.Decode(m)
}

// appendMember appends a member of an object to the members before it.
func appendMember(members []byte, d *json.Decoder, key string) ([]byte, error) {
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return nil, err
	}
	if len(members) > 1 {
		members = append(members, ',')
	}
	name, err := json.Marshal(key)
	return append(append(append(members, name...), ':'), raw...), err
}

// decodeList decodes a list, one item at a time.
func decodeList[T any](d *json.Decoder) ([]T, error) {
	if err := delimiter(d, '['); err != nil {
		return nil, err
	}
	items := []T{}
	for d.More() {
		var item T
		if err := d.Decode(&item); err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, delimiter(d, ']')
}

// delimiter reads one delimiter.
func delimiter(d *json.Decoder, want json.Delim) error {
	t, err := d.Token()
	if err == nil && t != want {
		err = fmt.Errorf("got %v, want %v", t, want)
	}
	return err
}

// WriteManifest writes a manifest as indented JSON, and gives it its digest.
func WriteManifest(path string, m *schemas.Manifest) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // a manifest discloses no reward
	if err != nil {
		return fault.NotWritten(err)
	}
	if err := errors.Join(schemas.SealManifest(file, m), file.Close()); err != nil {
		return fault.NotWritten(errors.Join(err, os.Remove(path)))
	}
	return nil
}
