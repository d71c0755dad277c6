package guess

import (
	"regexp"

	"banditaudit/ingest/cell"
)

// textProfile is about times in columns of text.
type textProfile struct {
	seen   int
	times  bool // all are dates, or times of dates, in one of the forms that are known
	sorts  bool // compared bytewise, they are in the order of time
	zone   string
	length int
}

// otherTime is a time in text with day or month first, which does not sort. Those that
// cell.WrittenTime reads do where zones are one.
var otherTime = regexp.MustCompile(`^\d{1,2}([/.-])\d{1,2}[/.-]\d{2,4}\b`)

func (t *textProfile) add(text string) {
	if t.seen++; !t.times {
		return
	}
	_, _, written, iso := cell.WrittenTime([]byte(text))
	zone := string(written)
	t.times = iso || otherTime.MatchString(text)
	if !iso {
		t.sorts = false
		return
	}
	if t.seen == 1 {
		t.zone, t.length = zone, len(text)
	}
	// Z stands behind the point of a fraction: 00Z would come after 00.5Z.
	t.sorts = t.sorts && zone == t.zone && (t.zone != "Z" || len(text) == t.length)
}

// inText reports whether a column is of times that are written as text.
func (p *profile) inText() bool { return p.texts.seen > 0 && p.texts.times }

// sortedText reports whether such times sort as text.
func (p *profile) sortedText() bool { return p.inText() && p.texts.sorts }

// leastRising is the number of rows from which values that rise are no chance.
const leastRising = 16

// rises reports whether every row of the sample has a whole number above that of the
// row before, as a row number or a counter of rounds has.
func (p *profile) rises() bool {
	n := &p.numbers
	return p.rows >= leastRising && n.seen == p.rows && n.whole && n.rising
}
