package tableau

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// seed adds a file as it is, cut and with seeded flips.
func seed(f *testing.F, data []byte) {
	f.Helper()
	f.Add(data)
	for i := range 8 {
		f.Add(data[:len(data)*i/8])
	}
	r := rand.New(rand.NewPCG(13, 17))
	for range 32 {
		changed := slices.Clone(data)
		changed[r.IntN(len(changed))] ^= 1 << r.IntN(8)
		f.Add(changed)
	}
	f.Add([]byte(magic + "\x00\x00" + "\x04\x00\x00\x00" + magic))
}

// Whatever the bytes are, reading them is damage or works to the end.
func fuzzFile(f *testing.F, name string) {
	f.Helper()
	file := smallFiles(f)[name]
	seed(f, file.data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := file.read(data); err != nil && !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
	})
}

func FuzzTableau(f *testing.F) { fuzzFile(f, "every column") }

func FuzzNarrowTableau(f *testing.F) { fuzzFile(f, "few columns") }

func FuzzUnits(f *testing.F) { fuzzFile(f, "units") }
