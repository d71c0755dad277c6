package schemas

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func sampleManifest() *Manifest {
	return &Manifest{
		Schema: ManifestSchema, Tool: Tool{Name: "t", Version: "1"}, Rows: 3,
		Arms: []string{"a", `"arms": []`, "<é>"}, Context: []string{"\n  \"experiments\": [", "x"},
		Reward: RewardColumn{Type: "bool", Range: [2]float64{0, 1}}, Missing: MissingError, Order: []string{"t"},
		Experiments: []ManifestExperiment{{ID: "e", Rows: 1}, {ID: "f", Offset: 1, Rows: 2, Counts: []ArmCount{{Reason: ReasonMissing, Arm: 1, Rows: 2}}}},
		Protocol:    strings.Repeat("0", 64), SHA256: strings.Repeat("1", 64), Digest: strings.Repeat("2", 64),
	}
}

// A manifest in pieces has the bytes of one that is encoded whole.
func TestWriteManifestAsEncode(t *testing.T) {
	empty := &Manifest{Schema: ManifestSchema}
	for _, m := range []*Manifest{sampleManifest(), empty} {
		want, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := WriteManifest(&got, m); err != nil {
			t.Fatal(err)
		}
		if got.String() != string(want) {
			t.Errorf("got\n%s\nwant\n%s", got.Bytes(), want)
		}
	}
}

// A sealed manifest carries its digest, and any change of it shows.
func TestSealManifest(t *testing.T) {
	m := sampleManifest()
	if err := m.Sealed(); err == nil {
		t.Error("a digest of twos was taken")
	}
	var sealed bytes.Buffer
	if err := SealManifest(&sealed, m); err != nil {
		t.Fatal(err)
	}
	if err := m.Sealed(); err != nil {
		t.Error(err)
	}
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
	whole, err := Encode(m)
	if err != nil || !bytes.Equal(whole, sealed.Bytes()) {
		t.Errorf("%v; got\n%s\nwant\n%s", err, sealed.Bytes(), whole)
	}
	for name, change := range map[string]func(*Manifest){
		"arms":    func(m *Manifest) { m.Arms[0], m.Arms[1] = m.Arms[1], m.Arms[0] },
		"id":      func(m *Manifest) { m.Experiments[0].ID = "g" },
		"context": func(m *Manifest) { m.Context[1] = "y" },
		"gaps":    func(m *Manifest) { m.Experiments[1].Gaps = 1 },
		"counted": func(m *Manifest) { m.Experiments[1].Counts[0].Rows = 1 },
		"columns": func(m *Manifest) { m.Columns = []ColumnInfo{{}} },
		"none":    func(m *Manifest) { m.Digest = "" },
	} {
		changed := sampleManifest()
		changed.Digest = m.Digest
		change(changed)
		if err := changed.Sealed(); err == nil {
			t.Errorf("%s: the change was not noticed", name)
		}
	}
}

// A manifest that has not the form of its schema is told.
func TestManifestValidate(t *testing.T) {
	m := sampleManifest()
	m.Experiments[1].Rows = -1
	if err := m.Validate(); !errors.Is(err, ErrInvalid) {
		t.Errorf("got %v", err)
	}
}

type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteManifestErrors(t *testing.T) {
	m := sampleManifest()
	if err := WriteManifest(full{}, m); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
	if err := SealManifest(full{}, m); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

// A manifest without a span, as older programs wrote it, and one that holds no times have
// none.
func TestManifestSpan(t *testing.T) {
	const first, last = "2026-01-03T00:00:00Z", "2026-02-01T10:00:00.5Z"
	for _, c := range []struct {
		first, last string
		ok          bool
	}{{first, last, true}, {"", "", false}, {first, "", false}, {"soon", last, false}} {
		from, to := (&ManifestExperiment{FirstTime: c.first, LastTime: c.last}).Span()
		if (from != nil) != c.ok || (to != nil) != c.ok || c.ok && (*from != first || *to != last) {
			t.Errorf("%q to %q: %v, %v", c.first, c.last, from, to)
		}
	}
	var s TimeSpan
	if s.Add(&Data{}); s.Dates() != "" {
		t.Errorf("nothing is %s", s.Dates())
	}
	if s.Add(&Data{FirstTime: new(first), LastTime: new("2026-01-03T23:00:00Z")}); s.Dates() != "on 2026-01-03" {
		t.Error(s.Dates())
	}
	if s.Add(&Data{FirstTime: new("2026-01-04T00:00:00Z"), LastTime: new(last)}); s.Dates() != "from 2026-01-03 to 2026-02-01" {
		t.Error(s.Dates())
	}
}
