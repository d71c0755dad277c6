package guess

import (
	"regexp"

	"banditaudit/ingest/cell"
)

// textProfile is about times in columns of text.
type textProfile struct {
	seen  int
	times bool // all are dates, or times of dates, in one of the forms that are known
	sorts bool // they compare in the order of time

	writings cell.TextTimes
	zoned    bool // the first has a zone
}

// otherTime is a time in text with day or month first, which does not sort. Those that
// cell.WrittenTime reads do, byte by byte or as instants, where all have a zone or none.
var otherTime = regexp.MustCompile(`^\d{1,2}([/.-])\d{1,2}[/.-]\d{2,4}\b`)

func (t *textProfile) add(text string) {
	if t.seen++; !t.times {
		return
	}
	value := []byte(text)
	_, _, zone, iso := cell.WrittenTime(value)
	t.times = iso || otherTime.MatchString(text)
	if !iso {
		t.sorts = false
		return
	}
	if t.seen == 1 {
		t.zoned = len(zone) > 0
	}
	t.writings.Look([][]byte{value}, nil)
	t.sorts = t.sorts && t.zoned == (len(zone) > 0)
}

// inText reports whether a column is of times that are written as text.
func (p *profile) inText() bool { return p.texts.seen > 0 && p.texts.times }

// sortedText reports whether such times compare in the order of time.
func (p *profile) sortedText() bool { return p.inText() && p.texts.sorts }

// leastRising is the number of rows from which values that rise are no chance.
const leastRising = 16

// rises reports whether every row of the sample has a whole number above the number of the
// row before, as a row number or a counter of rounds has.
func (p *profile) rises() bool {
	n := &p.numbers
	return p.rows >= leastRising && n.seen == p.rows && n.whole && n.rising
}
