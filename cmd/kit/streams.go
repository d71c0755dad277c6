package kit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"banditaudit/ingest/files"
	"banditaudit/schemas"
)

// printing is stdout or stderr of a run. A reader who has gone away, as after
// "| head -1", asked for no more and is no failure: what is then written goes
// nowhere. Any other failure is kept, for not all that print can return it.
type printing struct {
	to   io.Writer
	text bool // nothing in it is an order to a terminal
	gone bool
	err  error
}

// Write implements io.Writer.
func (p *printing) Write(b []byte) (int, error) {
	if p.gone {
		return len(b), nil
	}
	if p.err != nil {
		return 0, p.err
	}
	n, err := p.to.Write(p.tame(b))
	if errors.Is(err, syscall.EPIPE) {
		p.gone = true
		return len(b), nil
	}
	p.err = err
	return n, err
}

// tame writes a question mark for what a terminal obeys. Labels and paths were made
// printable long before: this is for whatever was not.
func (p *printing) tame(b []byte) []byte {
	if !p.text || !bytes.ContainsFunc(b, obeyed) {
		return b
	}
	b = bytes.Clone(b)
	for i, c := range b {
		if obeyed(rune(c)) {
			b[i] = '?'
		}
	}
	return b
}

// obeyed reports whether a character is one of ASCII that a terminal takes for an order.
func obeyed(c rune) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' }

// maxDocument bounds a JSON document that is read whole.
const maxDocument = 2 << 30

// ReadDocument reads a regular file of bounded size.
func ReadDocument(path string) ([]byte, error) {
	if err := CheckDocument(path); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.Size() > maxDocument:
		return nil, fmt.Errorf("%s has %d bytes, more than the %d that are read", path, info.Size(), int64(maxDocument))
	}
	return os.ReadFile(path)
}

// CheckDocument refuses what is no regular file: a device or a pipe would give
// bytes without end.
func CheckDocument(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	}
	return nil
}

// Matched are the operands, with the files that a pattern matches in its place. Of those
// that do not end in suffix nothing is said.
func Matched(operands []string, suffix string) (out []string, err error) {
	for _, name := range operands {
		_, err := os.Lstat(name)
		switch missing := err != nil && strings.HasSuffix(name, suffix); {
		case missing && files.IsRemote(name):
			return nil, &InputError{fmt.Errorf("%s is an address, not a path: copy it to this machine first: aws s3 cp --recursive ADDRESS DIR", schemas.Printable(name))}
		case missing && strings.ContainsAny(name, "*?["):
			found, err := filepath.Glob(name)
			if err != nil || len(found) == 0 {
				return nil, &InputError{fmt.Errorf("%s matches no file; check the pattern", schemas.Printable(name))}
			}
			out = append(out, found...)
		default:
			out = append(out, name)
		}
	}
	return out, nil
}

// startBytes hold the name of the schema of a document that this program wrote.
const startBytes = 200

// ReadStart reads the first bytes of a regular file.
func ReadStart(path string) ([]byte, error) {
	if err := CheckDocument(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(file, startBytes))
	return b, errors.Join(err, file.Close())
}
