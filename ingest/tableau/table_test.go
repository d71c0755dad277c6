package tableau

import (
	"errors"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
)

// built makes a table with a byte 7 in field 0, an int64 −5 in field 2, and a
// vector of three bytes in field 3.
func built() []byte {
	b := flatbuffers.NewBuilder(0)
	v := b.CreateByteVector([]byte{1, 2, 3})
	b.StartObject(5)
	b.PrependByteSlot(0, 7, 0)
	b.PrependInt64Slot(2, -5, 0)
	b.PrependUOffsetTSlot(3, v, 0)
	b.Finish(b.EndObject())
	return b.FinishedBytes()
}

func TestTableReadsWhatBuilderBuilt(t *testing.T) {
	tab, err := rootTable(built())
	if err != nil {
		t.Fatal(err)
	}
	if x, err := tab.byteField(0); err != nil || x != 7 {
		t.Errorf("field 0: %d, %v", x, err)
	}
	if x, err := tab.int64Field(2); err != nil || x != -5 {
		t.Errorf("field 2: %d, %v", x, err)
	}
	if x, err := tab.vectorField(3, 1); err != nil || string(x) != "\x01\x02\x03" {
		t.Errorf("field 3: %v, %v", x, err)
	}
	for _, absent := range []int{1, 4, 5, 1000} {
		if x, err := tab.int64Field(absent); err != nil || x != 0 || tab.has(absent) {
			t.Errorf("field %d: %d, %v", absent, x, err)
		}
		if x, err := tab.vectorField(absent, 8); err != nil || x != nil {
			t.Errorf("field %d: %v, %v", absent, x, err)
		}
	}
	if _, err := tab.tableField(1); !errors.Is(err, errTable) {
		t.Errorf("an absent table: %v", err)
	}
}

// Every byte of a table may lie; the accessors say so or return something that
// is within the buffer.
func TestTableSurvivesLies(_ *testing.T) {
	data := built()
	for i := range data {
		for v := range 256 {
			changed := append([]byte{}, data...)
			changed[i] = byte(v)
			tab, err := rootTable(changed)
			if err != nil {
				continue
			}
			for id := range 6 {
				_, _ = tab.byteField(id)
				_, _ = tab.int16Field(id)
				_, _ = tab.int32Field(id)
				_, _ = tab.int64Field(id)
				_, _ = tab.vectorField(id, 16)
				_, _ = tab.tablesField(id)
				_, _ = tab.tableField(id)
			}
		}
	}
	for n := range data {
		if tab, err := rootTable(data[:n:n]); err == nil {
			_, _ = tab.vectorField(3, 1)
		}
	}
}
