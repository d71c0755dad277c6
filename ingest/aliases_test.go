package ingest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// anyRow has a column of every kind of cursor, with other values in every row.
type anyRow struct {
	Int     int64       `parquet:"int"`
	Maybe   *int64      `parquet:"maybe,optional"`
	Uint    uint64      `parquet:"uint"`
	Flag    bool        `parquet:"flag"`
	Float   float64     `parquet:"float"`
	Single  float32     `parquet:"single"`
	Cents   int64       `parquet:"cents,decimal(2:18)"`
	Wide    [16]byte    `parquet:"wide,decimal(3:38)"`
	Milli   int64       `parquet:"milli,timestamp(millisecond)"`
	Day     int32       `parquet:"day,date"`
	Text    string      `parquet:"text"`
	Word    string      `parquet:"word,dict"`
	Delta   string      `parquet:"delta,delta"`
	ID      [16]byte    `parquet:"id,uuid"`
	Numbers []float64   `parquet:"numbers,list"`
	Whole   []int64     `parquet:"whole,list"`
	Words   []string    `parquet:"words,list"`
	Nested  [][]float64 `parquet:"nested,list"`
}

func anyRows(n int) []anyRow {
	rows := make([]anyRow, n)
	for i := range rows {
		x, text := float64(i), fmt.Sprintf("row %d", i)
		rows[i] = anyRow{
			Int: int64(i), Uint: uint64(i), Flag: i/100%2 == 0, Float: x / 8, Single: float32(i), Cents: int64(-i), Milli: int64(i) * 7, Day: int32(i),
			Text: text, Word: text, Delta: text, Numbers: []float64{x, -x}[:1+i%2], Whole: []int64{int64(i)}, Words: []string{text, "x"},
			Nested: [][]float64{{x, x + 0.5}, {-x, x * 2}},
		}
		rows[i].Wide[13], rows[i].Wide[14], rows[i].Wide[15] = byte(i>>16), byte(i>>8), byte(i)
		rows[i].ID = rows[i].Wide
		if i%3 > 0 {
			rows[i].Maybe = &rows[i].Int
		}
	}
	return rows
}

// aliasLog is a file of two row groups, of several blocks each, and the columns that
// it has by other means: scaled, and constant.
func aliasLog(t *testing.T, jobs int) (*scanner, *logFile) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "any.parquet")
	ingesttest.WriteParquet(t, path, anyRows(6*cell.BlockRows+22), parquet.MaxRowsPerRowGroup(3*cell.BlockRows+11))
	data := contentOf(t, path)
	s, f := openAny(t, bytes.NewReader(data), int64(len(data)), jobs)
	plain := len(f.columns)
	if plain != reflect.TypeFor[anyRow]().NumField() {
		t.Fatalf("%d columns are read", plain)
	}
	more := func(c, shown *pages.Column, k *files.Constant, factor int64) {
		f.columns, f.shown, f.constants, f.factors = append(f.columns, c), append(f.shown, shown), append(f.constants, k), append(f.factors, factor)
		s.shapes, s.block.cols = append(s.shapes, shape{}), append(s.block.cols, new(pages.Block))
	}
	scaled := 0
	for _, c := range f.columns[:plain] {
		if !c.List && (c.Kind == pages.Int || c.Kind == pages.Uint || c.Kind == pages.Decimal || c.Kind == pages.Timestamp) {
			scaled++
			more(c, c, nil, 1000)
			more(c, c, nil, 1<<60) // so that most leave 64 bits
		}
	}
	if scaled < 6 {
		t.Fatalf("%d columns are scaled", scaled)
	}
	tenths := constantOf(t, "7")
	var a cell.Axis
	a.Join(&pages.Column{Kind: pages.Decimal, Scale: 1}, "", "")
	tenths.Scale(&a)
	over := constantOf(t, "1000000000000000000")
	a.Join(&pages.Column{Kind: pages.Decimal, Scale: 5}, "", "")
	over.Scale(&a)
	for _, k := range []*files.Constant{constantOf(t, "x"), constantOf(t, "7"), tenths, over, files.Null(&pages.Column{Kind: pages.Float})} {
		more(nil, k.Column, k, 1)
	}
	null := files.Null(&pages.Column{Kind: pages.Text, List: true})
	more(nil, null.Column, null, 1)
	s.shapes[len(s.shapes)-1] = shape{outer: 2, inner: 1}
	s.log.wants, s.block.types = make([]role.Want, len(f.columns)), f.shown
	return s, f
}

// constantOf is the constant of a partition.
func constantOf(t *testing.T, value string) *files.Constant {
	t.Helper()
	keys, parts := files.PartitionKeys{}, []files.Partition{{Key: "k", Value: value}}
	keys.Add(parts)
	k, twice := keys.Constant(parts, "k")
	if k == nil || twice {
		t.Fatal("no constant")
	}
	return k
}

// held is all that a block says, as text.
func held(b *pages.Block) string {
	said := fmt.Sprint(b.Int, b.Float, b.Nulls, b.Overs, b.Width, b.Length, b.Inner, b.ItemNulls)
	if b.Nulls > 0 {
		said += fmt.Sprint(b.Null)
	}
	if b.Overs > 0 {
		said += fmt.Sprint(b.Over)
	}
	return said + fmt.Sprintf("%q", b.Text)
}

// What a cursor put into a block stays there when it goes on with others, of
// every kind of cursor: no two blocks share memory.
func TestBlocksKeepTheirValues(t *testing.T) {
	s, f := aliasLog(t, 1)
	defer f.pages.Close()
	for i := range f.columns {
		for g := range f.pages.Groups() {
			c, err := s.cursor(f, g, i)
			if err != nil {
				t.Fatal(err)
			}
			var blocks []*pages.Block
			var want []string
			for left := f.pages.GroupRows(g); left > 0; left -= cell.BlockRows {
				b := new(pages.Block)
				if _, err := c.Next(b, int(min(left, cell.BlockRows))); err != nil {
					t.Fatal(err)
				}
				blocks, want = append(blocks, b), append(want, held(b))
			}
			c.Close()
			if len(blocks) < 3 || f.constants[i] == nil && want[0] == want[1] {
				t.Errorf("column %d (%s): %d blocks, which do not differ", i, f.shown[i].Path, len(blocks))
			}
			for k, b := range blocks {
				if held(b) != want[k] {
					t.Errorf("column %d (%s), factor %d: block %d was overwritten", i, f.shown[i].Path, f.factors[i], k)
				}
			}
		}
	}
}

// Blocks of every kind of cursor hold the same values, decoded ahead or not.
func TestAheadOfEveryCursor(t *testing.T) {
	all := func(jobs int) [][]string {
		s, f := aliasLog(t, jobs)
		defer f.pages.Close()
		said := make([][]string, len(f.columns))
		err := s.groups(t.Context(), f, func(r *rows) error {
			for i, b := range r.cols {
				said[i] = append(said[i], held(b))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return said
	}
	want := all(1)
	for i, got := range all(3) {
		if !slices.Equal(got, want[i]) {
			t.Errorf("column %d differs", i)
		}
	}
}

// scaleRow is a row whose time, and the time of its reward, are on one of many
// scales. Types that differ in their tags alone convert.
type scaleRow struct {
	At     int64
	Known  int64
	Arm    string
	Reward float64
}

type (
	milliRow struct {
		At     int64   `parquet:"at,timestamp(millisecond)"`
		Known  int64   `parquet:"known,timestamp(microsecond)"`
		Arm    string  `parquet:"arm,dict"`
		Reward float64 `parquet:"reward"`
	}
	microRow struct {
		At     int64   `parquet:"at,timestamp(microsecond)"`
		Known  int64   `parquet:"known,timestamp(nanosecond)"`
		Arm    string  `parquet:"arm,dict"`
		Reward float64 `parquet:"reward"`
	}
	nanoRow struct {
		At     int64   `parquet:"at,timestamp(nanosecond)"`
		Known  int64   `parquet:"known,timestamp(millisecond)"`
		Arm    string  `parquet:"arm,dict"`
		Reward float64 `parquet:"reward"`
	}
	wholeRow struct {
		At     int64   `parquet:"at"`
		Known  int64   `parquet:"known,decimal(3:18)"`
		Arm    string  `parquet:"arm,dict"`
		Reward float64 `parquet:"reward"`
	}
	thirdRow struct {
		At     int64   `parquet:"at,decimal(3:18)"`
		Known  int64   `parquet:"known,decimal(6:18)"`
		Arm    string  `parquet:"arm,dict"`
		Reward float64 `parquet:"reward"`
	}
	sixthRow struct {
		At     int64   `parquet:"at,decimal(6:18)"`
		Known  int64   `parquet:"known"`
		Arm    string  `parquet:"arm,dict"`
		Reward float64 `parquet:"reward"`
	}
)

func writeAs[T any](t *testing.T, path string, rows []scaleRow, as func(scaleRow) T) {
	t.Helper()
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = as(r)
	}
	ingesttest.WriteParquet(t, path, out, parquet.MaxRowsPerRowGroup(int64(len(rows))))
}

// Rows of three files on three scales, in row groups of many blocks, come in the
// order of an independent sort, whatever the number of jobs.
func TestScalesOfManyBlocks(t *testing.T) {
	const million = 1_000_000
	r := rand.New(rand.NewPCG(3, 8192))
	scales := make([][]scaleRow, 3) // by the scale of At: 1, 1/1000 and 1/1,000,000; Known is on another
	type truth struct {
		at, known int64 // in millionths
		reward    float64
	}
	var all []truth
	for k := range 3*cell.BlockRows + 100 {
		for f, steps := range [][2]int64{{million, 1000}, {1000, 1}, {1, million}} { // of At, and of Known
			at := (int64(3*k+f)*million + int64(f)*r.Int64N(million)) / steps[0] * steps[0]
			known := (at + r.Int64N(5000*million) + steps[1] - 1) / steps[1] * steps[1]
			reward := float64(len(all)) / (1 << 20)
			all = append(all, truth{at, known, reward})
			scales[f] = append(scales[f], scaleRow{at / steps[0], known / steps[1], string(rune('a' + k%3)), reward})
		}
	}
	for _, rows := range scales {
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	}
	slices.SortFunc(all, func(a, b truth) int { return int(a.at - b.at) })
	var rewards []float64
	var rounds []int64
	for _, row := range all {
		rewards = append(rewards, row.reward)
		n, _ := slices.BinarySearchFunc(all, row.known+1, func(a truth, at int64) int { return int(a.at - at) })
		rounds = append(rounds, int64(n))
	}
	times, decimals := t.TempDir(), t.TempDir()
	writeAs(t, filepath.Join(times, "a.parquet"), scales[0], func(r scaleRow) milliRow { return milliRow(r) })
	writeAs(t, filepath.Join(times, "b.parquet"), scales[1], func(r scaleRow) microRow { return microRow(r) })
	writeAs(t, filepath.Join(times, "c.parquet"), scales[2], func(r scaleRow) nanoRow { return nanoRow(r) })
	writeAs(t, filepath.Join(decimals, "a.parquet"), scales[0], func(r scaleRow) wholeRow { return wholeRow(r) })
	writeAs(t, filepath.Join(decimals, "b.parquet"), scales[1], func(r scaleRow) thirdRow { return thirdRow(r) })
	writeAs(t, filepath.Join(decimals, "c.parquet"), scales[2], func(r scaleRow) sixthRow { return sixthRow(r) })
	p := atProtocol()
	p.Log.RewardOrder = "known"
	for _, dir := range []string{times, decimals} {
		var digest string
		for _, jobs := range []int{1, 2, 8} {
			got, m, err := ingestAll(t, p, Options{Jobs: jobs}, dir)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(rewards, got[0].Reward) + cmp.Diff(rounds, got[0].RewardRound); diff != "" {
				t.Errorf("%d jobs: %.2000s", jobs, diff)
			}
			if digest != "" && digest != m.SHA256 {
				t.Errorf("%d jobs: the bytes differ", jobs)
			}
			digest = m.SHA256
		}
	}
}
