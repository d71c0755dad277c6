package schemas

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// SealManifest writes m to w as Encode would, but never holds the document in
// memory, and sets m.Digest to what the document carries: the SHA-256 of its own
// bytes with an empty manifest_sha256. A nil list of counts is written as [].
// Errors are those of w.
func SealManifest(w io.Writer, m *Manifest) error {
	sum := sha256.New()
	end, err := writeManifest(io.MultiWriter(w, sum), m)
	if err != nil {
		return err
	}
	sum.Write(append([]byte(`""`), end...)) // a hash takes everything
	m.Digest = hex.EncodeToString(sum.Sum(nil))
	_, err = fmt.Fprintf(w, "%q%s", m.Digest, end)
	return err
}

// WriteManifest writes m to w as Encode would, but never holds the document in
// memory. Errors are those of w.
func WriteManifest(w io.Writer, m *Manifest) error {
	end, err := writeManifest(w, m)
	if err == nil {
		_, err = fmt.Fprintf(w, "%q%s", m.Digest, end)
	}
	return err
}

// Sealed reports an error unless m.Digest is the one that SealManifest gives the
// rest of m.
func (m *Manifest) Sealed() error {
	again := *m
	if err := SealManifest(io.Discard, &again); err != nil {
		return err
	}
	if again.Digest != m.Digest {
		return fmt.Errorf("manifest_sha256 is %s where the document has %q", again.Digest, m.Digest)
	}
	return nil
}

// maxChecked bounds the experiments whose form Validate looks at.
const maxChecked = 1000

// Validate reports every place where a manifest does not have the form of its
// schema; of its experiments it looks at the first thousand.
func (m *Manifest) Validate() error {
	part := *m
	part.Experiments = m.Experiments[:min(len(m.Experiments), maxChecked)]
	b, err := Encode(&part)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return ValidateManifest(b)
}

// writeManifest writes everything before the digest, which is the last member,
// and returns what follows it.
func writeManifest(w io.Writer, m *Manifest) (end []byte, err error) {
	bare := *m
	bare.Arms, bare.Context, bare.Experiments, bare.Digest = nil, nil, nil, ""
	b, err := Encode(&bare)
	if err != nil {
		return nil, err
	}
	out := lists{to: bufio.NewWriterSize(w, 1<<16)}
	out.encoder = json.NewEncoder(&out.item)
	out.encoder.SetEscapeHTML(false)
	out.encoder.SetIndent("    ", "  ")
	b = writeList(&out, b, "arms", m.Arms, func(s *string) any { return s })
	b = writeList(&out, b, "context", m.Context, func(s *string) any { return s })
	b = writeList(&out, b, "experiments", m.Experiments, func(e *ManifestExperiment) any {
		full := *e
		if full.Counts == nil {
			full.Counts = []ArmCount{}
		}
		return &full
	})
	const digest = "\n  \"manifest_sha256\": "
	before, after, _ := bytes.Cut(b, []byte(digest))
	out.put(before)
	out.put([]byte(digest))
	return bytes.TrimPrefix(after, []byte(`""`)), errors.Join(out.err, out.to.Flush())
}

// lists writes long lists of a document, one item at a time.
type lists struct {
	to      *bufio.Writer
	item    bytes.Buffer
	encoder *json.Encoder
	err     error
}

func (l *lists) put(b []byte) {
	if l.err == nil {
		_, l.err = l.to.Write(b)
	}
}

// writeList writes b up to the empty list of a key, and then the list's items;
// it returns the rest of b. A line that begins with two blanks and a key is one
// of the document itself: whatever lies deeper is indented by more.
func writeList[T any](l *lists, b []byte, key string, items []T, shown func(*T) any) []byte {
	opening := fmt.Sprintf("\n  %q: [", key)
	before, rest, _ := bytes.Cut(b, []byte(opening))
	l.put(before)
	l.put([]byte(opening))
	for i := range items {
		l.item.Reset()
		if i > 0 {
			l.item.WriteByte(',')
		}
		l.item.WriteString("\n    ")
		if err := l.encoder.Encode(shown(&items[i])); l.err == nil {
			l.err = err
		}
		l.put(bytes.TrimSuffix(l.item.Bytes(), []byte("\n")))
	}
	if len(items) > 0 {
		l.put([]byte("\n  "))
	}
	return rest
}
