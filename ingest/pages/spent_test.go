package pages

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/format"
)

// Levels are left behind the last where a run was written longer, and are 0 where a writer
// filled up the last eight.
func TestLevelsLeft(t *testing.T) {
	for _, c := range []struct {
		src   []byte
		read  int
		zeros bool
	}{
		{[]byte{3, 0b101}, 3, true},           // eight packed levels, 1 0 1 0 0 0 0 0
		{[]byte{3, 0b10000101}, 3, false},     // the last is 1
		{[]byte{3, 0b10000101}, 8, true},      // and read
		{[]byte{5, 0b101, 0b10}, 9, false},    // of sixteen packed levels the tenth is 1
		{[]byte{5, 0b101, 0b1}, 9, true},      // the ninth
		{[]byte{20, 1}, 8, false},             // ten levels of 1
		{[]byte{20, 0}, 8, true},              // of 0
		{[]byte{16, 1}, 8, true},              // eight of 1
		{[]byte{16, 1, 3, 0b1000}, 12, true},  // a run behind another
		{[]byte{16, 1, 3, 0b1000}, 11, false}, // one level of it is left
	} {
		h, levels := newHybrid(c.src, 1), make([]uint8, c.read)
		if err := readHybrid(&h, levels); err != nil {
			t.Fatalf("%b: %v", c.src, err)
		}
		if h.zeros() != c.zeros || !h.spent() {
			t.Errorf("%b behind %d levels: zeros %v", c.src, c.read, !c.zeros)
		}
	}
}

// The last bit of the definition levels of a page, which are never compressed in pages of
// version 2, is set: where it fills up the last eight the file is refused for it.
func TestLevelsLeftOfFiles(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(fixtures, "*v2*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, path := range paths {
		name := filepath.Base(path)
		data := readFixture(t, name)
		all, _ := pagesOf(t, data)
		for _, target := range all {
			changed := rebuild(t, data, func(p *pageAt, body []byte) []byte {
				if h := p.header.DataPageHeaderV2; p.header.Type == format.DataPageV2 && p.start == target.start && h.V.DefinitionLevelsByteLength > 0 {
					body[h.V.RepetitionLevelsByteLength+h.V.DefinitionLevelsByteLength-1] |= 0x80
				}
				return body
			}, nil)
			if err := outcome(t, name, changed); err != nil && strings.Contains(err.Error(), "levels other than 0 are left") {
				named++
			}
		}
	}
	if named < 3 {
		t.Errorf("%d pages are refused for levels that are left", named)
	}
}
