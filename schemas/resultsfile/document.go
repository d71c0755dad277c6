package resultsfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"banditaudit/schemas"
)

// document is a JSON file of which some members are long lists.
type document struct {
	path  string
	part  int64 // bytes that one member or element may have, and all that is kept
	lists []string
}

// ErrTooLarge is in the chain of an error that says that reading a document
// would take more memory than is allowed.
var ErrTooLarge = errors.New("too large for the memory that is allowed")

// checkFactor is how many times its size JSON takes while it is checked: its
// text, twice, and the tree that its schema is compared with.
const checkFactor = 16

// element is one of a long list. Its text is overwritten by that of the next.
type element struct {
	list string
	i    int
	text json.RawMessage
	end  int64 // where it ends, in bytes of the file
}

// walk goes through the document once. Elements of the long lists are handed to
// take, every other member to member, with [] in the place of a list.
func (f *document) walk(take func(*element) error, member func(key string, raw json.RawMessage) error) (err error) {
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	bounded := &boundedReader{r: bufio.NewReaderSize(file, 1<<16), part: f.part, left: f.part}
	d := json.NewDecoder(bounded)
	seen := map[string]bool{}
	if err = expect(d, '{'); err != nil {
		return f.invalid(err)
	}
	for d.More() {
		key, err := f.memberKey(d, seen)
		if err != nil {
			return err
		}
		raw := json.RawMessage("[]")
		bounded.left = f.part
		if slices.Contains(f.lists, key) {
			err = f.elements(d, bounded, key, take)
		} else if err = d.Decode(&raw); err != nil {
			err = f.invalid(notJSON(err))
		}
		if err == nil {
			err = member(key, raw)
		}
		if err != nil {
			return err
		}
	}
	return f.end(d)
}

// around reads what stands around the long lists, with [] in the place of each, and hands
// their elements to take.
func (f *document) around(take func(*element) error) ([]byte, error) {
	var members bytes.Buffer
	err := f.walk(take, func(key string, raw json.RawMessage) error {
		name, fault := schemas.Encode(key)
		if fault != nil {
			return fault
		}
		fmt.Fprintf(&members, ",%s:%s", bytes.TrimSuffix(name, []byte("\n")), raw)
		if int64(members.Len()) > f.part {
			return fmt.Errorf("%s: what stands around the experiments is too much: %w", f.path, ErrTooLarge)
		}
		return nil
	})
	return slices.Concat([]byte("{"), bytes.TrimPrefix(members.Bytes(), []byte(",")), []byte("}")), err
}

// decode reads an element, which must have a form.
func decode[T any](f *document, form *schemas.Form, e *element) (*T, error) {
	v, err := schemas.DecodeForm[T](form, e.text)
	if err != nil {
		return nil, fmt.Errorf("%s: /%s/%d: %w", f.path, e.list, e.i, err)
	}
	return v, nil
}

// boundedReader ends a value that goes on for more than part bytes.
type boundedReader struct {
	r          io.Reader
	part, left int64
}

// Read returns ErrTooLarge beyond the bound.
func (b *boundedReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("one value has more than %d bytes: %w", b.part, ErrTooLarge)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

func (f *document) memberKey(d *json.Decoder, seen map[string]bool) (string, error) {
	t, err := d.Token()
	if err != nil {
		return "", f.invalid(notJSON(err))
	}
	key, _ := t.(string) // of an object every first token is one
	if seen[key] {
		return "", f.invalid(schemas.KeyTwice(key, d.InputOffset()))
	}
	seen[key] = true
	return key, nil
}

// elements hands over the elements of a list.
func (f *document) elements(d *json.Decoder, bounded *boundedReader, key string, take func(*element) error) error {
	if err := expect(d, '['); err != nil {
		return f.invalid(fmt.Errorf("/%s: %w", key, err))
	}
	for e := (element{list: key}); d.More(); e.i++ {
		bounded.left = f.part
		if err := d.Decode(&e.text); err != nil {
			return f.invalid(notJSON(err))
		}
		e.end = d.InputOffset()
		if err := take(&e); err != nil {
			return err
		}
	}
	if err := expect(d, ']'); err != nil {
		return f.invalid(err)
	}
	return nil
}

// end reads the closing brace, after which nothing may stand.
func (f *document) end(d *json.Decoder) error {
	if err := expect(d, '}'); err != nil {
		return f.invalid(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return f.invalid(fmt.Errorf("something follows the document at byte %d", d.InputOffset()))
	}
	return nil
}

func (f *document) invalid(err error) error {
	if errors.Is(err, ErrTooLarge) {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	return fmt.Errorf("%s: %w: %w", f.path, schemas.ErrInvalid, err)
}

// notJSON says that a text is no JSON, unless it only is too large.
func notJSON(err error) error {
	if errors.Is(err, ErrTooLarge) {
		return err
	}
	return fmt.Errorf("not JSON: %w", err)
}

// expect reads one delimiter.
func expect(d *json.Decoder, want json.Delim) error {
	t, err := d.Token()
	switch {
	case err != nil:
		return notJSON(err)
	case t != want:
		return fmt.Errorf("got %v, want %v", t, want)
	}
	return nil
}
