package replay

import (
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"testing"
)

// reference reads a table that testdata/reference/replay.py wrote: a second
// implementation, in Python 3.11 with the standard library only, made from the
// package comments (cd testdata/reference && python3 replay.py).
func reference(t *testing.T, name string) [][]string {
	t.Helper()
	file, err := os.Open("../testdata/reference/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s: %d rows, error %v", name, len(rows), err)
	}
	return rows[1:]
}

// Master, key, and words 0, 1, 123, 124, 248 and 299 of the stream; the
// generator reseeds itself before words 124 and 248.
func TestSeedSchemeEqualsTheReferenceProgram(t *testing.T) {
	for _, row := range reference(t, "replay_seed.csv") {
		n, err := strconv.ParseInt(row[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		experiment, err := hex.DecodeString(row[2])
		if err != nil {
			t.Fatal(err)
		}
		arm, err := strconv.Atoi(row[3])
		if err != nil {
			t.Fatal(err)
		}
		master := Seed(n)
		if got := hex.EncodeToString(master[:]); got != row[4] {
			t.Errorf("seed %d: master %s, want %s", n, got, row[4])
		}
		key := Key(master, row[1], string(experiment), arm)
		if got := hex.EncodeToString(key[:]); got != row[5] {
			t.Errorf("seed %d, %s, arm %d: key %s, want %s", n, row[1], arm, got, row[5])
		}
		src := Stream(master, row[1], string(experiment), arm)
		words := map[int]string{0: row[6], 1: row[7], 123: row[8], 124: row[9], 248: row[10], 299: row[11]}
		for i := range 300 {
			got := fmt.Sprintf("%016x", src.Uint64())
			if want, ok := words[i]; ok && got != want {
				t.Errorf("seed %d, %s, arm %d: word %d is %s, want %s", n, row[1], arm, i, got, want)
			}
		}
	}
}

// Lengths stand before the texts, so no two streams share a key because their
// texts run together.
func TestKeysDiffer(t *testing.T) {
	seen := map[[32]byte]string{}
	for _, s := range []struct {
		purpose, experiment string
		arm                 int
	}{
		{"policy", "", NoArm},
		{"policy", "", 0},
		{"counter", "", 0},
		{"counter", "", 1},
		{"count", "er", 0},
		{"", "counter", 0},
		{"counter", "a", 0},
	} {
		key := Key(Seed(1), s.purpose, s.experiment, s.arm)
		name := fmt.Sprintf("%+v", s)
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s share a stream", name, other)
		}
		seen[key] = name
	}
	if Key(Seed(1), PurposePolicy, "", NoArm) == Key(Seed(2), PurposePolicy, "", NoArm) {
		t.Error("two master seeds share a stream")
	}
}
