package pages

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Footers that would make a trusting decoder take all memory or all stack.
func TestHostileFooters(t *testing.T) {
	list := func(n uint64) []byte { // field 2 of FileMetaData, the schema: n structures
		return binary.AppendUvarint([]byte{0x29, 0xFC}, n)
	}
	nested := bytes.Repeat([]byte{0x1C}, 1<<20) // a structure in a structure in a …
	empties := append(list(1<<19), make([]byte, 1<<19+1)...)
	for name, footer := range map[string][]byte{
		"a list that claims 2^40 items":  list(1 << 40),
		"a list that claims 2^63 items":  list(1 << 63),
		"a million levels":               nested,
		"half a million empty items":     empties,
		"a string that claims 2^62":      binary.AppendUvarint([]byte{0x68}, 1<<62),
		"a number that does not end":     bytes.Repeat([]byte{0x15, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, 3),
		"an unknown type":                {0x1F},
		"nothing":                        {},
		"a map of nothing to everything": append([]byte{0x1B}, binary.AppendUvarint(nil, 1<<50)...),
	} {
		t.Run(name, func(t *testing.T) {
			bounded(t, 64<<20, func() {
				if _, err := openBytes(tail([]byte(magic), footer), NewBudget(32<<20)); err == nil {
					t.Error("the file was opened")
				}
			})
		})
	}
	lying := tail([]byte(magic), nil)
	binary.LittleEndian.PutUint32(lying[4:], 1<<31)
	if _, err := openBytes(lying, nil); err == nil {
		t.Error("a footer of 2 GiB was found in a file of 12 bytes")
	}
}

func TestSchemaLies(t *testing.T) {
	element := func(name string, children int32, typ thrift.Null[format.Type], rep format.FieldRepetitionType) format.SchemaElement {
		e := format.SchemaElement{Name: name, Type: typ, RepetitionType: thrift.New(rep)}
		if children != 0 {
			e.NumChildren = thrift.New(children)
		}
		return e
	}
	none, double := thrift.Null[format.Type]{}, thrift.New(format.Double)
	deep := []format.SchemaElement{element("root", 1, none, format.Required)}
	for range 100 {
		deep = append(deep, element("g", 1, none, format.Required))
	}
	deep = append(deep, element("c", 0, double, format.Required))
	for name, schema := range map[string][]format.SchemaElement{
		"empty":               nil,
		"more children":       {element("root", 3, none, format.Required), element("c", 0, double, format.Required)},
		"fewer children":      {element("root", 1, none, format.Required), element("c", 0, double, format.Required), element("d", 0, double, format.Required)},
		"negative children":   {element("root", -1, none, format.Required)},
		"children of a group": {element("root", 1, none, format.Required), element("g", 1<<30, none, format.Required)},
		"bad repetition":      {element("root", 1, none, format.Required), element("c", 0, double, 7)},
		"deep":                deep,
	} {
		if _, err := readSchema(schema, func(int64) error { return nil }); err == nil {
			t.Errorf("%s: was read", name)
		}
	}
}
