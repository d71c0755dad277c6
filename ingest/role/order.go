package role

import (
	"fmt"

	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// order is a column by which the rounds happened, compared after those before it.
func order() Column {
	return Column{
		Role: Order, Pass: Both, Compares: OwnAxis,
		Asked:   func(p *schemas.Protocol) []Want { return wants(p.Log.Order...) },
		Fit:     ordered(),
		Becomes: orderKey,
		Names: Vocabulary{
			Whole: []string{"t", "ts", "time", "timestamp", "round", "step", "seq", "event time", "event ts", "created at", "date", "dt", "datetime", "row number", "row id", "index", "idx", "position", "rank", "slot"},
			Parts: words("ts time timestamp round step seq sequence datetime date at position"),
			Never: words("reward click conversion outcome feedback id"),
		},
	}
}

// ordered is the Fit of values that compare.
func ordered() Fit {
	return Fit{flat(), func(c *pages.Column) bool { return c.Kind != pages.Other }, "an order is numbers, text, dates or times, one per row", "cast it in SQL: to BIGINT, VARCHAR or TIMESTAMP"}
}

// orderKey says how an order column compares.
func orderKey(b *Becoming) string {
	b.keys++
	text := "order key"
	if n := len(b.Protocol.Log.Order); n > 1 {
		text = fmt.Sprintf("order key %d of %d", b.keys, n)
	}
	if b.Text {
		return text + ", compared bytewise" + b.times()
	}
	return text + b.Scale
}
