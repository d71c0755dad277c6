package attest_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/schemas"
)

// seeded is the key of a seed of 32 equal bytes.
func seeded(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
}

func public(key ed25519.PrivateKey) ed25519.PublicKey { return key.Public().(ed25519.PublicKey) }

// reference is what securesystemslib wrote: python3 testdata/reference/dsse.py.
func reference(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open("../../../testdata/reference/dsse.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, row := range rows {
		out[row[0]] = row[1]
	}
	return out
}

// Ids of keys, and an envelope of two signatures, are those of securesystemslib, byte for
// byte, and its payload is a commitment.
func TestAsSecuresystemslib(t *testing.T) {
	want := reference(t)
	for i, name := range []string{"keyid 1", "keyid 2"} {
		if got := attest.KeyID(public(seeded(byte(i + 1)))); got != want[name] {
			t.Errorf("%s is %s, want %s", name, got, want[name])
		}
	}
	text, err := base64.StdEncoding.DecodeString(want["envelope"])
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := attest.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	ours := attest.Seal(theirs.Payload)
	for _, n := range []byte{2, 1, 2} {
		ours.Sign(seeded(n))
	}
	if got, fault := ours.Encode(); fault != nil || !bytes.Equal(got, text) {
		t.Errorf("%v\n%s\n%s", fault, got, text)
	}
	protocol, tool, err := attest.Committed(theirs.Payload)
	if err != nil || string(protocol) != "text" || tool != (schemas.Tool{Name: "banditaudit", Version: "0"}) {
		t.Errorf("%q, %v, %v", protocol, tool, err)
	}
}

// An envelope is taken in one encoding alone.
func TestOneEncoding(t *testing.T) {
	e := attest.Seal([]byte(`{"a":1}`))
	e.Sign(seeded(1))
	e.Sign(seeded(2))
	text, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err = attest.Decode(text); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`{"payload"`, `{ "payload"`},
		{`"payload":`, `"Payload":`},
		{`"keyid"`, `"keyId"`},
		{`"sig":`, `"x":1,"sig":`},
		{`vnd.in-toto+json`, `vnd.other+json`},
		{`eyJhIjoxfQ==`, `eyJhIjoxfR==`}, // unused bits of base64
		{`eyJhIjoxfQ==`, `eyJhIjoxfQ`},
		{`eyJhIjoxfQ==`, `eyJhIjox\nfQ==`},
		{"}]}\n", "}]}"},
		{"}]}\n", "}]}\n\n"},
		{"}]}\n", "}],\"more\":1}\n"},
	} {
		spoilt := strings.Replace(string(text), change[0], change[1], 1)
		if _, err := attest.Decode([]byte(spoilt)); spoilt == string(text) || !errors.Is(err, attest.ErrEnvelope) {
			t.Errorf("%q → %q: %v", change[0], change[1], err)
		}
	}
	for name, list := range map[string][]attest.Signature{
		"none": nil, "another id": {{KeyID: "\x1b[2J", Sig: e.Signatures[0].Sig}}, "no signature": {{KeyID: e.Signatures[0].KeyID, Sig: []byte("x")}}, "twice": {e.Signatures[0], e.Signatures[0]}, "out of order": {e.Signatures[1], e.Signatures[0]},
	} {
		other := *e
		other.Signatures = list
		spoilt, err := other.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := attest.Decode(spoilt); !errors.Is(err, attest.ErrEnvelope) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Signatures are counted by public key, under the id that the key has.
func TestSigned(t *testing.T) {
	one, two, other := seeded(1), seeded(2), seeded(3)
	e := attest.Seal([]byte("x"))
	e.Sign(one)
	e.Sign(two)
	foreign := attest.Seal([]byte("x"))
	foreign.Signatures = []attest.Signature{{KeyID: attest.KeyID(public(two)), Sig: e.Signatures[0].Sig}}
	for _, tc := range []struct {
		name string
		e    *attest.Envelope
		keys []ed25519.PublicKey
		want int
	}{
		{"both", e, []ed25519.PublicKey{public(one), public(two)}, 2},
		{"one given twice", e, []ed25519.PublicKey{public(one), public(one)}, 1},
		{"a stranger", e, []ed25519.PublicKey{public(other)}, 0},
		{"under the id of another", foreign, []ed25519.PublicKey{public(one), public(two)}, 0},
		{"another payload", &attest.Envelope{Payload: []byte("y"), Type: e.Type, Signatures: e.Signatures}, []ed25519.PublicKey{public(one)}, 0},
	} {
		if got := len(tc.e.Signed(tc.keys)); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
		// Only the foreign signature, and those of another payload, stand under the id of a given key.
		if got, want := len(tc.e.Spoilt(tc.keys)) > 0, tc.e != e; got != want {
			t.Errorf("%s: spoilt: %v, want %v", tc.name, got, want)
		}
	}
}

// No single bit of an envelope can be changed, if the keys of all signers are known.
func TestEveryBitOfAnEnvelope(t *testing.T) {
	e := attest.Seal([]byte(`{"a":1}`))
	e.Sign(seeded(1))
	e.Sign(seeded(2))
	text, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	keys := []ed25519.PublicKey{public(seeded(1)), public(seeded(2))}
	for bit := range 8 * len(text) {
		spoilt := slices.Clone(text)
		spoilt[bit/8] ^= 1 << (bit % 8)
		if got, err := attest.Decode(spoilt); err == nil && len(got.Signed(keys)) == 2 && bytes.Equal(got.Payload, e.Payload) {
			t.Errorf("bit %d can be changed: %s", bit, spoilt)
		}
	}
}

// Keys are read in their own form, and in no other.
func TestKeys(t *testing.T) {
	inner, outer, err := attest.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := attest.ParsePrivate(inner)
	if err != nil {
		t.Fatal(err)
	}
	half, err := attest.ParsePublic(outer)
	if err != nil || !half.Equal(key.Public()) {
		t.Fatalf("%v, %v", half, err)
	}
	for name, text := range map[string][]byte{
		"empty": nil, "no PEM": []byte("key"), "two": slices.Concat(inner, inner), "text before": slices.Concat([]byte("x\n"), inner), "text after": slices.Concat(inner, []byte("x")), "headers": bytes.Replace(inner, []byte("-----\n"), []byte("-----\na: b\n\n"), 1), "a broken one before": slices.Concat(inner[:40], []byte("\n"), inner), "cut": inner[:len(inner)-40],
		"other half": outer, "other block": []byte(strings.ReplaceAll(string(inner), "PRIVATE KEY", "EC PRIVATE KEY")),
	} {
		if _, err := attest.ParsePrivate(text); !errors.Is(err, attest.ErrKey) || strings.Contains(err.Error(), "MC4") {
			t.Errorf("private %s: %v", name, err)
		}
	}
	if _, err := attest.ParsePublic(inner); !errors.Is(err, attest.ErrKey) {
		t.Errorf("a private key was taken for a public one: %v", err)
	}
}

// A list of checksums is held against files.
func TestJudge(t *testing.T) {
	a, b := strings.Repeat("a", 64), strings.Repeat("b", 64)
	files := []attest.Entry{{Name: "one", SHA256: a}, {Name: "two", SHA256: b}}
	good := string(attest.Checksums(files))
	for list, want := range map[string]string{
		good:                                   "",
		strings.ToUpper(good[:64]) + good[64:]: "list changed",
		strings.ReplaceAll(good, "  ", " *"):   "list changed",
		strings.TrimSuffix(good, "\n"):         "list changed",
		strings.Replace(good, a, b, 1):         "one changed",
		good[:70]:                              "two added",
		good + b + "  three\n":                 "three missing",
		good[70:] + good[:70]:                  "list changed",
		good + good:                            "list changed",
		strings.ReplaceAll(good, "\n", "\r\n"): "list changed",
		strings.ToUpper(good[:64]) + "  two\n": "one added, two changed, list changed",
		"":                                     "one added, two added",
	} {
		var got []string
		for _, c := range attest.Judge("list", []byte(list), files) {
			got = append(got, c.Name+" "+c.What)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %q, want %q", list, got, want)
		}
	}
}

// A statement says whole numbers beyond 2^53 in words of digits, and names what differs.
func TestStatements(t *testing.T) {
	files := []attest.Entry{{Name: "protocol.effective.yaml", SHA256: strings.Repeat("a", 64)}, {Name: "run.json", SHA256: "v"}, {Name: "x", SHA256: "1"}}
	head := &schemas.Results{Inputs: []schemas.Input{{URI: "u", Bytes: 1 << 53, Rows: 1<<53 + 1}}}
	none := func(func(*schemas.Finding) error) error { return nil }
	want, err := attest.Audit(files, head, none, "run.json")
	if err != nil || bytes.Contains(want, []byte("run.json")) || !bytes.Contains(want, []byte(`"bytes":9007199254740992,"rows":"9007199254740993"`)) {
		t.Fatalf("%v\n%s", err, want)
	}
	for name, tc := range map[string]struct {
		change func()
		says   string
	}{
		"same":    {func() {}, ""},
		"digest":  {func() { files[2].SHA256 = "2" }, `it signs another "x"`},
		"missing": {func() { files = files[:2] }, `it signs a file that is not there, "x"`},
		"verdict": {func() { head.Overall = "other" }, "it says something else of these files"},
	} {
		kept, was := slices.Clone(files), *head
		tc.change()
		own, err := attest.Audit(files, head, none, "run.json")
		if got := attest.Mismatch(want, own); err != nil || got != tc.says {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		files, *head = kept, was
	}
	if _, err := attest.Audit(files[1:], head, none); !errors.Is(err, attest.ErrStatement) {
		t.Errorf("a bundle without a protocol: %v", err)
	}
	if _, _, err := attest.Committed(want); !errors.Is(err, attest.ErrStatement) {
		t.Errorf("a statement about a bundle was taken for a commitment: %v", err)
	}
}

// What is taken for an envelope is, byte for byte, what Encode writes of it.
func FuzzDecode(f *testing.F) {
	e := attest.Seal([]byte(`{"a":1}`))
	e.Sign(seeded(1))
	text, err := e.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := attest.Decode(text)
		if err != nil {
			return
		}
		if again, err := e.Encode(); err != nil || !bytes.Equal(again, text) {
			t.Errorf("%v: %q is taken, and written as %q", err, text, again)
		}
	})
}
