package schemas

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEncode(t *testing.T) {
	type inner struct {
		List []string `json:"list"`
	}
	type outer struct {
		Text    string            `json:"text"`
		Nil     []int             `json:"nil"`
		Absent  []int             `json:"absent,omitempty"`
		Inner   inner             `json:"inner"`
		Pointer *inner            `json:"pointer"`
		None    *inner            `json:"none"`
		Items   []inner           `json:"items"`
		Any     any               `json:"any"`
		Map     map[string]int    `json:"map"`
		Bound   Extended          `json:"bound"`
		Range   *Interval         `json:"range"`
		Columns Context           `json:"columns"`
		Words   map[string]string `json:"words,omitempty"`
	}
	v := outer{
		Text: "<a> & é", Pointer: &inner{}, Items: []inner{{}}, Any: inner{}, Map: map[string]int{"b": 1, "a": 2},
		Bound: Extended(math.Inf(1)), Range: NewInterval(0, 1), Columns: Context{Columns: []ContextColumn{{Column: "<x>"}}},
	}
	want := `{
  "text": "<a> & é",
  "nil": [],
  "inner": {
    "list": []
  },
  "pointer": {
    "list": []
  },
  "none": null,
  "items": [
    {
      "list": []
    }
  ],
  "any": {
    "list": []
  },
  "map": {
    "a": 2,
    "b": 1
  },
  "bound": "inf",
  "range": [
    0,
    1
  ],
  "columns": [
    "<x>"
  ]
}
`
	for range 3 {
		if got, err := Encode(&v); err != nil || string(got) != want {
			t.Fatalf("got %s, %v\nwant %s", got, err, want)
		}
	}
	if v.Nil != nil || v.Pointer.List != nil || v.Items[0].List != nil {
		t.Error("Encode changed its argument")
	}
}

func TestEncodeRefusesWhatHasNoJSON(t *testing.T) {
	for _, v := range []any{math.NaN(), math.Inf(1), Extended(math.NaN()), []float64{1, math.NaN()}, make(chan int)} {
		if b, err := Encode(v); err == nil || !strings.HasPrefix(err.Error(), "schemas: encoding ") {
			t.Errorf("%v is written as %s, %v", v, b, err)
		}
	}
	if b, err := Encode(nil); err != nil || !bytes.Equal(b, []byte("null\n")) {
		t.Errorf("nil is written as %s, %v", b, err)
	}
}

// TestEncodeIsJSON: without a nil slice the bytes are those of encoding/json.
func TestEncodeIsJSON(t *testing.T) {
	type Below struct {
		At   *int           `json:"at,omitempty"`
		Date time.Time      `json:"date,omitzero"`
		Zero [2]int8        `json:"zero,omitempty"`
		Map  map[string]any `json:"map,omitempty"`
		Own  *big.Int       `json:"-"`
	}
	type whole struct {
		*Below

		Texts   []string
		Numbers []float64   `json:"numbers"`
		Bytes   []byte      `json:"bytes"`
		Small   uint8       `json:"small,omitempty"`
		Literal json.Number `json:"literal"`
		Raw     json.RawMessage
		Big     *big.Int
		Any     []any `json:"any"`
		hidden  int
	}
	v := whole{
		Texts:   []string{"", "plain <&>", "≥ é 😀", "\x00\x1f\x7f\b\f\n\r\t\"\\", "a\xffb", "\u2028\u2029\ufffd"},
		Numbers: []float64{0, math.Copysign(0, -1), 1, -1.5, 1e-6, 9.99e-7, 1e-10, 1e20, 1e21, -1e22, 5e-324, math.MaxFloat64, 1. / 3, 123456789012345680},
		Bytes:   []byte("x"), Literal: "1.50", Raw: json.RawMessage(`{"b":[1,{}],"a":[]}`), Big: big.NewInt(7), hidden: 1,
		Any: []any{nil, true, int64(-3), "x", []any{}, struct{}{}, map[string]any{"b": []int{1}, "a": nil}, &Below{}, Below{Map: map[string]any{"": 1.}}},
	}
	for _, below := range []*Below{nil, {}, {At: new(int), Date: time.Unix(0, 0).UTC(), Map: map[string]any{"x": 1}}} {
		v.Below = below
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		err := e.Encode(v)
		got, invalid := Encode(v)
		if err != nil || invalid != nil || string(got) != want.String() {
			t.Errorf("%v, %v; got\n%s\nwant\n%s", err, invalid, got, want.Bytes())
		}
	}
}

// BenchmarkEncode writes results of 200 experiments, 24 MB: whole, and one experiment after
// another as resultsfile does.
func BenchmarkEncode(b *testing.B) {
	kept, err := os.ReadFile("../testdata/bundles/0.2.6/results.json")
	if err != nil {
		b.Fatal(err)
	}
	r, err := decodeAs[Results](standard(), resultsSchema, kept)
	if err != nil {
		b.Fatal(err)
	}
	r.Experiments, r.Claims = slices.Repeat(r.Experiments, 200), slices.Repeat(r.Claims, 200)
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			text, err := Encode(r)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
		}
	})
	b.Run("streamed", func(b *testing.B) {
		for b.Loop() {
			for i := range r.Experiments {
				if err := EncodeTo(io.Discard, &r.Experiments[i], "    "); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
