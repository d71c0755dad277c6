package pages

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

var (
	update   = flag.Bool("update", false, "write testdata/bits.txt again")
	everyBit = flag.Bool("every-bit", false, "turn every bit, and compare testdata/bits.txt")
)

// What a changed bit of a footer or of a page header may come to.
const (
	bitRefused = "refused"
	bitSame    = "the same"
)

// Every bit of the footer, and of every page header, of files by five writers
// is turned. The file is refused, or reads as before; or the bit made another
// valid declaration of the same values, which nothing in the file contradicts:
// testdata/bits.txt counts these by kind. None gives other values. One bit in 13
// is turned; -every-bit turns them all, and holds testdata/bits.txt to the counts.
func TestBits(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(fixtures, "bits", "*.parquet"))
	if err != nil || len(files) < 9 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	step := 13
	switch {
	case *everyBit || *update:
		step = 1
	case testing.Short():
		step = 37
	}
	var lines []string
	for _, path := range files {
		counts := turnBits(t, filepath.Join("bits", filepath.Base(path)), step)
		lines = append(lines, bitLines(filepath.Base(path), counts)...)
	}
	if step > 1 {
		return
	}
	got, golden := strings.Join(lines, "\n")+"\n", filepath.Join("testdata", "bits.txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != got {
		t.Errorf("%s says otherwise (%v); go test -run TestBits -update writes it again:\n%s", golden, err, got)
	}
}

func bitLines(name string, counts map[string]int) []string {
	total := 0
	for _, n := range counts {
		total += n
	}
	lines := []string{fmt.Sprintf("%s: %d bits, %d %s, %d %s", name, total, counts[bitRefused], bitRefused, counts[bitSame], bitSame)}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		if kind != bitRefused && kind != bitSame {
			lines = append(lines, fmt.Sprintf("    %d %s", counts[kind], kind))
		}
	}
	return lines
}

// turnBits turns every step-th bit of a file's headers and footer.
func turnBits(t *testing.T, name string, step int) map[string]int {
	t.Helper()
	data := readFixture(t, name)
	want, err := declared(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var places []int
	all, _ := pagesOf(t, data)
	for _, p := range all {
		for at := p.start; at < p.body; at++ {
			places = append(places, at)
		}
	}
	for at := footerOf(data); at < len(data); at++ {
		places = append(places, at)
	}
	counts := map[string]int{}
	var mu sync.Mutex
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() {
			mine, own := map[string]int{}, bytes.Clone(data)
			for k := w * step; k < 8*len(places); k += workers * step {
				at, bit := places[k/8], byte(1)<<(k%8)
				own[at] ^= bit
				kind, bad := compareDeclared(own, want)
				own[at] ^= bit
				mine[kind]++
				if bad {
					t.Errorf("%s: byte %d, bit %d: %s", name, at, k%8, kind)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			for kind, n := range mine {
				counts[kind] += n
			}
		})
	}
	group.Wait()
	return counts
}

// declaration is what a file says of a column, and what it reads as; the values
// are those that are stored.
type declaration struct {
	path   string
	kind   Kind
	unit   Unit
	utc    bool
	scale  int
	values uint64
}

// compareDeclared says what became of a file; bad where values changed.
func compareDeclared(data []byte, want []declaration) (kind string, bad bool) {
	got, err := declared(data)
	var format *FormatError
	switch {
	case err != nil && (errors.As(err, &format) || errors.Is(err, ErrLimit)) && !strings.Contains(err.Error(), "runtime error"):
		return bitRefused, false
	case err != nil:
		return err.Error(), true
	case len(got) != len(want):
		return fmt.Sprintf("%d columns for %d", len(got), len(want)), true
	}
	for i := range want {
		if kind, bad := got[i].differs(&want[i]); kind != "" {
			return kind, bad
		}
	}
	return bitSame, false
}

func (d *declaration) differs(from *declaration) (kind string, bad bool) {
	words := map[Kind]string{
		Int: "an integer", Uint: "an unsigned integer", Text: "a text", Timestamp: "a time", Date: "a date", Decimal: "a decimal",
		Time: "a time of day", Float: "a number", Bool: "a boolean",
	}
	switch {
	case d.values != from.values:
		return "other values of " + from.path, true
	case d.path != from.path:
		return fmt.Sprintf("a name: %s for %s", d.path, from.path), false
	case d.kind != from.kind:
		return fmt.Sprintf("a type: %s for %s", words[d.kind], words[from.kind]), false
	case d.unit != from.unit:
		return fmt.Sprintf("a unit: %s for %s", d.unit.words(), from.unit.words()), false
	case d.utc != from.utc:
		return fmt.Sprintf("a clock: UTC %v", d.utc), false
	case d.scale != from.scale:
		return fmt.Sprintf("a scale: %d for %d", d.scale, from.scale), false
	}
	return "", false
}

// declared reads all columns of a file.
func declared(data []byte) ([]declaration, error) {
	budget := NewBudget(8 << 20)
	f, err := Open(mappedBytes{bytes.NewReader(data), data}, int64(len(data)), budget)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []declaration
	var b Block
	for _, c := range f.Columns() {
		d := declaration{path: c.Path, kind: c.Kind, unit: c.Unit, utc: c.UTC, scale: c.Scale}
		h := fnv.New64a()
		for g := range f.Groups() {
			if err := hashGroup(h, f, g, c, &b); err != nil {
				return nil, err
			}
		}
		d.values = h.Sum64()
		all = append(all, d)
	}
	return all, nil
}

func hashGroup(h io.Writer, f *File, g int, c *Column, b *Block) error {
	if f.GroupRows(g) > 1<<16 {
		return &FormatError{g, c.Path, errors.New("too many rows for a test")}
	}
	if c.Depth > 2 {
		return &FormatError{g, c.Path, errors.New("too deep")}
	}
	cursor, err := openCursor(f, g, c)
	if err != nil {
		return err
	}
	defer cursor.Close()
	for {
		n, err := cursor.Next(b, 100)
		if err == io.EOF && n == 0 { //nolint:errorlint // one that wraps it is no end
			return nil
		}
		if err != nil {
			return err
		}
		hashBlock(h, c, b, n)
	}
}

// hashBlock hashes what is stored: of a decimal the digits, whatever its scale.
func hashBlock(h io.Writer, c *Column, b *Block, n int) {
	var words []byte
	width := 1
	if c.Depth > 0 {
		width = b.Width
	}
	for i := range n {
		null := b.Nulls > 0 && b.Null[i]
		words = strconv.AppendBool(words, null)
		if c.Depth > 0 {
			words = binary.LittleEndian.AppendUint32(words, uint32(b.Length[i]))
			words = binary.LittleEndian.AppendUint32(words, uint32(b.Inner[i]))
			words = strconv.AppendBool(words, b.ItemNulls[i])
		}
		for k := i * width; k < (i+1)*width && !null; k++ {
			switch c.store() {
			case storeFloats:
				words = binary.LittleEndian.AppendUint64(words, math.Float64bits(b.Float[k]))
			case storeTexts:
				words = append(append(words, b.Text[k]...), 0)
			default:
				words = binary.LittleEndian.AppendUint64(words, uint64(b.Int[k]))
			}
		}
	}
	_, _ = h.Write(words)
}
