package schemas

import (
	"bytes"
	"math"
	"strings"
	"testing"
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
