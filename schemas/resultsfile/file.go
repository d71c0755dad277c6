package resultsfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"banditaudit/schemas"
)

// File is a results.json that is read strictly, one experiment at a
// time: it must have the form of its schema, hold no key twice, and end after
// the document.
type File struct {
	Head *schemas.Results // everything but the experiments

	catalogue *schemas.Catalogue
	open      func() (io.ReadCloser, error)
	name      string
	part      int64 // bytes that one member or element may have, and all that is kept
	kept      int64
}

// Open reads everything but the experiments of a results.json. The error
// has schemas.ErrInvalid in its chain where the file is none.
func Open(c *schemas.Catalogue, path string) (*File, error) {
	return OpenWithin(c, path, math.MaxInt64)
}

// ErrTooLarge is in the chain of an error that says that reading a document
// would take more memory than is allowed.
var ErrTooLarge = errors.New("too large for the memory that is allowed")

// resultsFactor is how many times its size JSON takes while it is checked: its
// text, twice, and the tree that its schema is compared with.
const resultsFactor = 16

// claimFactor is how many times less a claim's text takes: claims are checked one
// after another, and only what was decoded is kept.
const claimFactor = 4

// OpenWithin is Open where memory, in bytes, bounds what the
// process may take. No element of a list, no other member, and not all members
// together may be larger than a sixteenth of it, all claims than a quarter: the error
// of OpenWithin and of Experiments then has ErrTooLarge in its chain.
func OpenWithin(c *schemas.Catalogue, path string, memory int64) (*File, error) {
	f := &File{catalogue: c, name: path, part: memory / resultsFactor, open: func() (io.ReadCloser, error) { return os.Open(path) }}
	if err := f.readHead(); err != nil {
		return nil, err
	}
	return f, nil
}

// Decode reads a whole results.json, as strictly as Open and
// Experiments do.
func Decode(c *schemas.Catalogue, b []byte) (*schemas.Results, error) {
	f := &File{catalogue: c, name: "results.json", part: math.MaxInt64, open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }}
	if err := f.readHead(); err != nil {
		return nil, err
	}
	r := *f.Head
	r.Experiments = []schemas.Experiment{}
	err := f.Experiments(func(e *schemas.Experiment) error {
		r.Experiments = append(r.Experiments, *e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// Experiments reads the file once more and hands every experiment to visit, in
// their order. It ends with the first error: of the file, or of visit.
func (f *File) Experiments(visit func(*schemas.Experiment) error) error {
	form, err := f.catalogue.ResultsForm("#/$defs/Experiment")
	if err != nil {
		return err
	}
	return f.walk(func(key string, i int, raw json.RawMessage) error {
		if key != keyExperiments {
			return nil
		}
		e, err := schemas.DecodeForm[schemas.Experiment](form, raw)
		if err != nil {
			return fmt.Errorf("%s: /%s/%d: %w", f.name, key, i, err)
		}
		return visit(e)
	}, func(string, json.RawMessage) error { return nil })
}

// The members of the document that are long lists.
const (
	keyClaims      = "claims"
	keyExperiments = "experiments"
)

// readHead reads everything but the experiments.
func (f *File) readHead() error {
	form, err := f.catalogue.ResultsForm("#/$defs/Finding")
	if err != nil {
		return err
	}
	claims := []schemas.Finding{}
	var members bytes.Buffer
	err = f.walk(func(key string, i int, raw json.RawMessage) error {
		if key != keyClaims {
			return nil
		}
		if fault := f.keep(int64(len(raw)) / claimFactor); fault != nil {
			return fault
		}
		c, fault := schemas.DecodeForm[schemas.Finding](form, raw)
		if fault != nil {
			return fmt.Errorf("%s: /%s/%d: %w", f.name, key, i, fault)
		}
		claims = append(claims, *c)
		return nil
	}, func(key string, raw json.RawMessage) error {
		name, fault := schemas.Encode(key)
		if fault = errors.Join(fault, f.keep(int64(len(raw)))); fault != nil {
			return fault
		}
		fmt.Fprintf(&members, ",%s:%s", bytes.TrimSuffix(name, []byte("\n")), raw)
		return nil
	})
	if err != nil {
		return err
	}
	b := append([]byte("{"), bytes.TrimPrefix(members.Bytes(), []byte(","))...)
	whole, err := f.catalogue.ResultsForm("")
	if err != nil {
		return err
	}
	if f.Head, err = schemas.DecodeForm[schemas.Results](whole, append(b, '}')); err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	f.Head.Claims = claims
	return nil
}

// walk goes through the document once. Elements of the long lists are handed to
// element, every other member to member, with [] in the place of a list.
func (f *File) walk(element func(key string, i int, raw json.RawMessage) error, member func(key string, raw json.RawMessage) error) (err error) {
	file, err := f.open()
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
		if key == keyClaims || key == keyExperiments {
			err = f.elements(d, bounded, key, element)
		} else if err = d.Decode(&raw); err != nil {
			err = f.invalid(fmt.Errorf("not JSON: %w", err))
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

// keep counts what is kept of the file.
func (f *File) keep(size int64) error {
	if f.kept += size; f.kept > f.part {
		return fmt.Errorf("%s: what stands around the experiments is too much: %w", f.name, ErrTooLarge)
	}
	return nil
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

func (f *File) memberKey(d *json.Decoder, seen map[string]bool) (string, error) {
	t, err := d.Token()
	if err != nil {
		return "", f.invalid(fmt.Errorf("not JSON: %w", err))
	}
	key, _ := t.(string) // of an object every first token is one
	if seen[key] {
		return "", f.invalid(schemas.KeyTwice(key, d.InputOffset()))
	}
	seen[key] = true
	return key, nil
}

// elements hands over the elements of a list.
func (f *File) elements(d *json.Decoder, bounded *boundedReader, key string, take func(key string, i int, raw json.RawMessage) error) error {
	if err := expect(d, '['); err != nil {
		return f.invalid(fmt.Errorf("/%s: %w", key, err))
	}
	for i := 0; d.More(); i++ {
		var raw json.RawMessage
		bounded.left = f.part
		if err := d.Decode(&raw); err != nil {
			return f.invalid(fmt.Errorf("not JSON: %w", err))
		}
		if err := take(key, i, raw); err != nil {
			return err
		}
	}
	if err := expect(d, ']'); err != nil {
		return f.invalid(err)
	}
	return nil
}

// end reads the closing brace, after which nothing may stand.
func (f *File) end(d *json.Decoder) error {
	if err := expect(d, '}'); err != nil {
		return f.invalid(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return f.invalid(fmt.Errorf("something follows the document at byte %d", d.InputOffset()))
	}
	return nil
}

func (f *File) invalid(err error) error {
	return fmt.Errorf("%s: %w: %w", f.name, schemas.ErrInvalid, err)
}

// expect reads one delimiter.
func expect(d *json.Decoder, want json.Delim) error {
	t, err := d.Token()
	switch {
	case err != nil:
		return fmt.Errorf("not JSON: %w", err)
	case t != want:
		return fmt.Errorf("got %v, want %v", t, want)
	}
	return nil
}
