package pages

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// benchRow is a row of a log: an action, a reward, and features that do not
// compress, that are float32 in double, and that have few values.
type benchRow struct {
	Action  *int32    `parquet:"action,optional,dict"`
	Reward  *float64  `parquet:"reward,optional"`
	X       *float64  `parquet:"x,optional"`
	Widened *float64  `parquet:"widened,optional"`
	Rounded *float64  `parquet:"rounded,optional,dict"`
	List    []float64 `parquet:"list,list"`
}

const benchRows = 1 << 17

func benchFile(b *testing.B, codec compress.Codec) []byte {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	rows := make([]benchRow, benchRows)
	for i := range rows {
		x := rng.NormFloat64()
		rows[i] = benchRow{new(rng.Int32N(10)), new(rng.Float64()), &x, new(float64(float32(rng.Float64()))), new(math.Round(100 * x)), make([]float64, 10)}
		for k := range rows[i].List {
			rows[i].List[k] = rng.Float64()
		}
	}
	var file bytes.Buffer
	w := parquet.NewGenericWriter[benchRow](&file, parquet.Compression(codec), parquet.PageBufferSize(1<<20), parquet.DataPageVersion(1))
	if _, err := w.Write(rows); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return file.Bytes()
}

// BenchmarkColumn reads one column of a mapped file, with views where they are
// to be had.
func BenchmarkColumn(b *testing.B) {
	for name, codec := range map[string]compress.Codec{"uncompressed": &parquet.Uncompressed, "snappy": &parquet.Snappy, "zstd": &parquet.Zstd} {
		data := benchFile(b, codec)
		f, err := Open(mappedBytes{bytes.NewReader(data), data}, int64(len(data)), nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, column := range []string{"action", "x", "widened", "rounded", "list"} {
			c := columnOf(b, f, column)
			b.Run(name+"/"+column, func(b *testing.B) {
				for b.Loop() {
					readThrough(b, f, c)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
			})
		}
		f.Close()
	}
}

func readThrough(b *testing.B, f *File, c *Column) {
	b.Helper()
	block := Block{View: true}
	for g := range f.Groups() {
		var cursor rowCursor
		var err error
		if c.Depth == 1 {
			cursor, err = f.List(g, c, 10)
		} else {
			cursor, err = f.Cursor(g, c)
		}
		if err != nil {
			b.Fatal(err)
		}
		for left := f.GroupRows(g); left > 0; {
			n, err := cursor.Next(&block, 8192)
			if err != nil {
				b.Fatal(err)
			}
			left -= int64(n)
		}
		cursor.Close()
	}
}
