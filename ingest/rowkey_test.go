package ingest

import (
	"bytes"
	"cmp"
	"testing"

	"pgregory.net/rapid"
)

// Keys compare as experiment, number and text do, and give back what the sort
// reads of them.
func TestRowKeyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 300)), 2, 2).Draw(t, "numbers")
		texts := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 'a', 255}), 0, 3), 2, 2).Draw(t, "texts")
		index := rapid.SliceOfN(rapid.Int32Range(0, 300), 2, 2).Draw(t, "experiments")
		k := &keys{columns: []keyColumn{{numbers: numbers}, {text: true, texts: texts}}}
		for j := range k.columns {
			k.columns[j].span(2)
		}
		r := newRowKey(k, 301)
		a, b := r.append(nil, index[0], 0), r.append(nil, index[1], 1)
		want := cmp.Or(cmp.Compare(index[0], index[1]), cmp.Compare(numbers[0], numbers[1]), bytes.Compare(texts[0], texts[1]))
		if got := bytes.Compare(a, b); got != want {
			t.Fatalf("%x and %x compare as %d, not %d", a, b, got, want)
		}
		if i, err := r.index(a); i != index[0] || err != nil {
			t.Fatalf("experiment %d, %v", i, err)
		}
		if n, err := r.number(a); n != uint64(numbers[0])-uint64(min(numbers[0], numbers[1])) || err != nil {
			t.Fatalf("number %d, %v", n, err)
		}
	})
}

// Small ranges make small keys.
func TestRowKeyWidth(t *testing.T) {
	k := &keys{columns: []keyColumn{{numbers: []int64{1_700_000_000_000, 1_700_000_000_255}}}}
	k.columns[0].span(2)
	if key := newRowKey(k, 200).append(nil, 0, 1); !bytes.Equal(key, []byte{0, 255}) {
		t.Errorf("got %x", key)
	}
	k.columns[0].span(0) // no rows, no bounds
}
