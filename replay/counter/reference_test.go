package counter

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// The draws of a second implementation, in Python 3.11 from the package
// comments: cd testdata/reference && python3 replay.py.
func TestDrawEqualsTheReferenceProgram(t *testing.T) {
	file, err := os.Open("../../testdata/reference/replay_noise.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%d rows, error %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		law := discreteLaplace{num: number(t, row[0]), den: number(t, row[1])}
		name := strconv.FormatUint(law.num, 10)
		if law.den != 1 {
			name = fmt.Sprintf("%d/%d", law.num, law.den)
		}
		src := referenceStream(name)
		for i, want := range row[2:] {
			got, err := law.draw(src)
			if err != nil || strconv.FormatInt(got, 10) != want {
				t.Fatalf("parameter %s, draw %d: %d (%v), want %s", name, i, got, err, want)
			}
		}
	}
}

func number(t *testing.T, s string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// referenceStream is the stream of arm 0's counter in the experiment of that
// name, with the master seed made from 1, by the seed scheme of package replay.
func referenceStream(experiment string) rand.Source {
	master := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("banditaudit seed"), 1))
	b := append(binary.BigEndian.AppendUint32(master[:], 7), "counter"...)
	b = append(binary.BigEndian.AppendUint32(b, uint32(len(experiment))), experiment...)
	return rand.NewChaCha8(sha256.Sum256(binary.BigEndian.AppendUint64(b, 0)))
}
