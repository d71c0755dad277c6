package main

import (
	"banditaudit/analyze"
	"banditaudit/replay"
)

// catalogue is everything that a protocol may name. It is made here, once, and
// handed down to every room.
type catalogue struct {
	*replay.Catalogue
	analysis *analyze.Catalogue
}

// known is what this program knows.
func known() *catalogue { return catalogueOf(replay.Standard(), analyze.Known()) }

// catalogueOf lets those who read protocols know what can be asked.
func catalogueOf(mechanisms *replay.Catalogue, analysis *analyze.Catalogue) *catalogue {
	mechanisms.Asked = analysis.Asked()
	return &catalogue{mechanisms, analysis}
}
