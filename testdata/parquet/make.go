//go:build ignore

// Command make writes the files of this directory that parquet-go writes:
// decimals in byte arrays and in all encodings of them, enums, bare repeated
// fields, INT96 at the ends of its range. make.py runs it; it prints its part of
// expected.json.
package main

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
)

const rows = 40

// column makes the leaf values of a row, and what they must read as.
type column struct {
	node parquet.Node
	at   func(i int) (leaf parquet.Value, reads any)
}

func main() {
	tables, files := map[string]map[string][]any{}, map[string]any{}
	for name, options := range map[string][]parquet.WriterOption{
		"parquet-go.parquet":    {parquet.Compression(&parquet.Snappy), parquet.DataPageVersion(1)},
		"parquet-go-v2.parquet": {parquet.Compression(&parquet.Zstd), parquet.DataPageVersion(2), parquet.PageBufferSize(700)},
	} {
		table, err := write(name, options)
		if err != nil {
			log.Fatal(err)
		}
		tables["parquet-go"] = table // the same every time
		files[name] = map[string]any{"table": "parquet-go", "columns": slices.Sorted(maps.Keys(table))}
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"tables": tables, "files": files}); err != nil {
		log.Fatal(err)
	}
}

// write writes every column required, nullable (n_) and repeated (r_).
func write(name string, options []parquet.WriterOption) (map[string][]any, error) {
	group := parquet.Group{}
	for n, c := range columns() {
		group[n] = c.node
		if n != "huge" {
			group["n_"+n], group["r_"+n] = parquet.Optional(c.node), parquet.Repeated(c.node)
		}
	}
	schema := parquet.NewSchema("log", group)
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	w := parquet.NewGenericWriter[any](file, append(options, schema, parquet.CreatedBy("parquet-go", "v0.32.0", ""), parquet.MaxRowsPerRowGroup(25))...)
	table := map[string][]any{}
	for i := range rows {
		if _, err := w.WriteRows([]parquet.Row{row(schema, table, i)}); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return table, file.Close()
}

func row(schema *parquet.Schema, table map[string][]any, i int) (row parquet.Row) {
	all := columns()
	for at, path := range schema.Columns() {
		name := path[0]
		switch {
		case strings.HasPrefix(name, "n_") && (i+at)%5 == 0:
			row = append(row, parquet.NullValue().Level(0, 0, at))
			table[name] = append(table[name], nil)
		case strings.HasPrefix(name, "n_"):
			v, reads := all[name[2:]].at(i)
			row = append(row, v.Level(0, 1, at))
			table[name] = append(table[name], reads)
		case strings.HasPrefix(name, "r_"):
			items := []any{}
			for k := range (i + at) % 4 {
				v, reads := all[name[2:]].at((i + k) % rows)
				row = append(row, v.Level(min(k, 1), 1, at))
				items = append(items, reads)
			}
			if len(items) == 0 {
				row = append(row, parquet.NullValue().Level(0, 0, at))
			}
			table[name] = append(table[name], items)
		default:
			v, reads := all[name].at(i)
			row = append(row, v.Level(0, 0, at))
			table[name] = append(table[name], reads)
		}
	}
	return row
}

func columns() map[string]column {
	text := func(n parquet.Node, format string) column {
		return column{n, func(i int) (parquet.Value, any) {
			s := fmt.Sprintf(format, i%7)
			return parquet.ByteArrayValue([]byte(s)), s
		}}
	}
	bytes40 := func(n parquet.Node) column { return decimal(n, 40, 6, 0) }
	return map[string]column{
		"int32":  decimal(parquet.Decimal(2, 9, parquet.Int32Type), 9, 2, 4),
		"int64":  decimal(parquet.Decimal(4, 18, parquet.Int64Type), 18, 4, 8),
		"fixed":  decimal(parquet.Encoded(parquet.Decimal(10, 38, parquet.FixedLenByteArrayType(16)), &parquet.ByteStreamSplit), 38, 10, 16),
		"fixed5": decimal(parquet.Decimal(3, 11, parquet.FixedLenByteArrayType(5)), 11, 3, 5),
		"plain":  bytes40(parquet.Decimal(6, 40, parquet.ByteArrayType)),
		"dict":   bytes40(parquet.Encoded(parquet.Decimal(6, 40, parquet.ByteArrayType), &parquet.RLEDictionary)),
		"length": bytes40(parquet.Encoded(parquet.Decimal(6, 40, parquet.ByteArrayType), &parquet.DeltaLengthByteArray)),
		"delta":  bytes40(parquet.Encoded(parquet.Decimal(6, 40, parquet.ByteArrayType), &parquet.DeltaByteArray)),
		"huge":   decimal(parquet.Decimal(300, 300, parquet.ByteArrayType), 300, 300, 0),
		"enum":   text(parquet.Encoded(parquet.Enum(), &parquet.RLEDictionary), "arm %d"),
		"json":   text(parquet.JSON(), `{"a":%d}`),
		"string": text(parquet.Encoded(parquet.String(), &parquet.DeltaByteArray), "prefix %d"),
		"uuid":   {parquet.UUID(), uuid},
		"int96":  {parquet.Leaf(parquet.Int96Type), int96},
		"time":   {parquet.Time(parquet.Microsecond), func(i int) (parquet.Value, any) { return parquet.Int64Value(int64(i * 1e9)), i * 1e9 }},
	}
}

func uuid(i int) (parquet.Value, any) {
	var id [16]byte
	binary.BigEndian.PutUint64(id[8:], uint64(i)*0x9E3779B97F4A7C15)
	h := hex.EncodeToString(id[:])
	return parquet.FixedLenByteArrayValue(id[:]), strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

// int96 are timestamps, of which the first are beyond what 64 bits hold.
func int96(i int) (parquet.Value, any) {
	day, nanos := uint32(2440588+i*400-8000), uint64(i)*1_234_567_890_123
	switch i {
	case 0:
		day = 0 // 4714 BC
	case 1:
		day = 5373484 // 9999-12-31
	case 2:
		day, nanos = 2440588-106752, 763_145_224_192 // the first that 64 bits hold
	case 3:
		day, nanos = 2440588-106752, 763_145_224_191
	case 4:
		day, nanos = 2440588+106751, 85_636_854_775_807 // the last
	case 5:
		day, nanos = 2440588+106751, 85_636_854_775_808
	}
	total := new(big.Int).Mul(big.NewInt(int64(day)-2440588), big.NewInt(86400e9))
	total.Add(total, new(big.Int).SetUint64(nanos))
	return parquet.Int96Value(deprecated.Int96{uint32(nanos), uint32(nanos >> 32), day}), json.Number(total.String())
}

// decimal makes values of up to the precision in size bytes; 0 for as many as
// a value needs.
func decimal(n parquet.Node, precision, scale, size int) column {
	return column{n, func(i int) (parquet.Value, any) {
		top := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(precision)), nil)
		v := new(big.Int)
		switch i {
		case 0:
			v.Sub(top, big.NewInt(1))
		case 1:
			v.Sub(big.NewInt(1), top)
		case 2, 3:
			v.SetInt64(int64(2*i - 5)) // -1, 1
		case 4: // zero
		default:
			digits := 1 + i*7%precision
			v.SetString(strings.Repeat("7193826405", 1+digits/10)[:digits], 10)
			if i%2 == 0 {
				v.Neg(v)
			}
		}
		reads := fixedPoint(v, scale)
		switch size {
		case 4:
			return parquet.Int32Value(int32(v.Int64())), reads
		case 8:
			return parquet.Int64Value(v.Int64()), reads
		case 0:
			return parquet.ByteArrayValue(twosComplement(v, v.BitLen()/8+1)), reads
		}
		return parquet.FixedLenByteArrayValue(twosComplement(v, size)), reads
	}}
}

func twosComplement(v *big.Int, size int) []byte {
	if v.Sign() < 0 {
		v = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
	}
	return v.FillBytes(make([]byte, size))
}

func fixedPoint(v *big.Int, scale int) string {
	sign, digits := "", new(big.Int).Abs(v).String()
	if v.Sign() < 0 {
		sign = "-"
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale+1-len(digits)) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}
