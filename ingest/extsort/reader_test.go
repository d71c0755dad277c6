package extsort

import (
	"bytes"
	"errors"
	"testing"
)

// Whatever bytes a run has, reading it ends, in an error or with the records
// that were written, and does not panic.
func FuzzRun(f *testing.F) {
	a := arena{slabSize: 1 << 10, account: &account{}}
	for _, r := range shuffled(20) {
		if err := a.add(r.key, r.payload); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(a.slabs[0], true)
	f.Add(a.slabs[0][:50], true)
	f.Add(a.slabs[0], false)
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01"), true)
	f.Add([]byte("\x01"), true)
	f.Fuzz(func(t *testing.T, run []byte, whole bool) {
		d, err := newDisk(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer d.close()
		d.begin()
		if err = d.append(run); err != nil {
			t.Fatal(err)
		}
		if !whole {
			d.spans[0].sum++
		}
		m, err := newMerge(d, d.spans, minMemory, &account{})
		var read []byte
		if err == nil {
			it := &Iterator{merge: m, stop: func() error { return nil }}
			for it.Next() {
				read = append(read, it.record...)
			}
			err = it.Err()
		}
		if _, ok := errors.AsType[*DiskError](err); err != nil && !ok {
			t.Errorf("got %v", err)
		}
		if err == nil && !whole || err == nil && !bytes.Equal(read, run) {
			t.Errorf("%d of %d bytes were read without an error", len(read), len(run))
		}
	})
}
