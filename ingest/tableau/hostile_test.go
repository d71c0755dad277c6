package tableau

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
)

// hostileFile is one of our files, to be changed, and what it is read as.
type hostileFile struct {
	data []byte
	read func(changed []byte) (all []byte, err error) // everything that can be read of it
}

// smallFiles are files with every column and with few, and an order by unit.
func smallFiles(tb testing.TB) map[string]hostileFile {
	tb.Helper()
	files := map[string]hostileFile{}
	for name, s := range map[string]func() (Schema, Batch){
		"every column": func() (Schema, Batch) { return sampleAll(2, 5, 3) },
		"few columns":  func() (Schema, Batch) { return sample(true, 1, 3, 2) },
	} {
		schema, b := s()
		path, _ := write(tb, schema, b)
		files[name] = hostileFile{readFile(tb, path), func(changed []byte) ([]byte, error) { return readRounds(changed, schema) }}
		if schema.Unit {
			tab := open(tb, path, schema)
			units, _ := writeUnits(tb, schema, b)
			files["units"] = hostileFile{readFile(tb, units), func(changed []byte) ([]byte, error) { return readUnits(changed, tab) }}
		}
	}
	return files
}

func readFile(tb testing.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// inMemory is a mapping of an aligned copy of data.
func inMemory(data []byte) *mapping {
	aligned := arrow.Uint64Traits.CastToBytes(make([]uint64, len(data)/8+1))[:len(data)]
	copy(aligned, data)
	return &mapping{path: "mutant", data: aligned}
}

// readRounds opens a file's bytes and reads everything that a tableau offers.
func readRounds(data []byte, s Schema) ([]byte, error) {
	tab := newTableau(inMemory(data), s)
	if err := tab.Guard(tab.load); err != nil {
		return nil, err
	}
	var all bytes.Buffer
	for i := range tab.Experiments() {
		if err := readSlice(&all, tab.Slice(i)); err != nil {
			return nil, err
		}
	}
	return all.Bytes(), nil
}

// readSlice reads the public columns and the rewards of one experiment.
func readSlice(all *bytes.Buffer, s *Slice) error {
	columns := []string{}
	if s.Schema().RewardByArm {
		columns = append(columns, RewardByArm)
	}
	rewards, err := s.Disclose(&ledgerBook{}, "test", columns...)
	if err != nil {
		return err
	}
	seen := []any{int64(s.BatchCount()), s.UnitCount(), rewards.Missing()}
	for i := range s.Chunks() {
		c := s.Chunk(i)
		arms := make([]int, s.Arms())
		for row, a := range c.Arm {
			arms[a]++
			for arm := range s.Arms() {
				seen = append(seen, c.Eligible(row, arm))
			}
		}
		seen = append(seen, c.Start, c.Round, c.Arm, c.Propensity, c.ContextByArm, c.PropensityByArm, c.ReleasedByArm, c.Batch, c.Unit, c.RewardRound, c.RewardBefore, c.Time, c.Draws, c.Targets, c.Position,
			rewards.Chunk(i), rewards.Arms(i), rewards.AllArms(i))
		for _, x := range c.X {
			seen = append(seen, x)
		}
	}
	feed, err := s.Feed(&ledgerBook{}, "law", &adds{})
	if err != nil {
		return err
	}
	for r := range s.Rows() {
		seen = append(seen, feed.Row(r))
	}
	for _, v := range seen {
		if err := binary.Write(all, binary.LittleEndian, v); err != nil {
			return err
		}
	}
	return nil
}

// readUnits opens a file's bytes as the order by unit of tab, and reads it.
func readUnits(data []byte, tab *Tableau) ([]byte, error) {
	tab.units = inMemory(data)
	defer func() { tab.units, tab.byUnit = nil, nil }()
	if err := tab.Guard(tab.loadUnits); err != nil {
		return nil, err
	}
	var all bytes.Buffer
	for i := range tab.Experiments() {
		for c := range tab.Slice(i).Units() {
			for j, row := range c.Row {
				chunk, at := tab.Slice(i).Locate(row)
				if tab.Slice(i).Chunk(chunk).Unit[at] != c.Unit[j] {
					return nil, errors.New("a row of another unit")
				}
			}
			if err := errors.Join(binary.Write(&all, binary.LittleEndian, c.Unit), binary.Write(&all, binary.LittleEndian, c.Row)); err != nil {
				return nil, err
			}
		}
	}
	return all.Bytes(), nil
}

// A file that was cut is an error, at 64 places spread over it.
func TestHostileCut(t *testing.T) {
	for name, file := range smallFiles(t) {
		for i := range 64 {
			n := len(file.data) * i / 64
			if _, err := file.read(file.data[:n]); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: cut to %d of %d bytes: %v", name, n, len(file.data), err)
			}
		}
	}
}

// A bit that was flipped, at 500 seeded places, is an error, or the file reads
// as before, unless it is a bit of a value, which may be another that is allowed.
// The digest tells all of them apart.
func TestHostileFlips(t *testing.T) {
	for name, file := range smallFiles(t) {
		want, err := file.read(file.data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		values := valueBytes(t, file.data, name)
		digest := inMemory(file.data).digest()
		r := rand.New(rand.NewPCG(7, 11))
		refused, others := 0, 0
		for range 500 {
			changed := slices.Clone(file.data)
			at, bit := r.IntN(len(changed)), r.IntN(8)
			changed[at] ^= 1 << bit
			got, err := file.read(changed)
			switch {
			case err != nil && !errors.Is(err, ErrDamaged):
				t.Errorf("%s: bit %d of byte %d: %v", name, bit, at, err)
			case err != nil:
				refused++
			case !bytes.Equal(got, want) && !values[at]:
				t.Errorf("%s: bit %d of byte %d is none of a value, and yet others are read", name, bit, at)
			case !bytes.Equal(got, want):
				others++
			}
			if inMemory(changed).digest() == digest {
				t.Errorf("%s: the digest does not tell bit %d of byte %d", name, bit, at)
			}
		}
		t.Logf("%s: of 500 flips %d were refused, %d read as other values, %d as before", name, refused, others, 500-refused-others)
		if refused == 0 {
			t.Errorf("%s: nothing was refused", name)
		}
	}
}

// valueBytes marks the bytes of a file that are of a column's values.
func valueBytes(t *testing.T, data []byte, name string) []bool {
	t.Helper()
	m := inMemory(data)
	fields := unitFields()
	if name != "units" {
		s, _ := sampleAll(2, 5, 3)
		if name == "few columns" {
			s, _ = sample(true, 1, 3, 2)
		}
		fields = s.layout().fields
	}
	batches, err := walk(m.data, fields, BatchRows)
	if err != nil {
		t.Fatal(err)
	}
	marks := make([]bool, len(data))
	for _, b := range batches {
		for i := range fields {
			c := b.column(i)
			at := int(uintptr(unsafe.Pointer(&c[0])) - uintptr(unsafe.Pointer(&m.data[0])))
			for j := range c {
				marks[at+j] = true
			}
		}
	}
	return marks
}

// Through Open itself, from disk: what is not one of our files at all.
func TestHostileNoFile(t *testing.T) {
	s, _ := sampleAll(1, 4)
	for name, data := range map[string][]byte{
		"zeros":            make([]byte, 4096),
		"magic only":       []byte("ARROW1\x00\x00ARROW1"),
		"footer beyond":    []byte("ARROW1\x00\x00\xFF\xFF\xFF\x7FARROW1"),
		"footer of 4 GB":   []byte("ARROW1\x00\x00\xFF\xFF\xFF\xFFARROW1"),
		"Parquet":          []byte("PAR1\x00\x00\x00\x00\x00\x00\x00\x00PAR1"),
		"footer of zeros":  append([]byte("ARROW1\x00\x00"), append(make([]byte, 64), []byte("\x40\x00\x00\x00ARROW1")...)...),
		"footer of itself": []byte("ARROW1\x00\x00\x04\x00\x00\x00\x04\x00\x00\x00ARROW1"),
	} {
		path := filepath.Join(t.TempDir(), "rounds.arrow")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, s); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
