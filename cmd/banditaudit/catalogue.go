package main

import (
	"banditaudit/analyze"
	"banditaudit/replay"
	"banditaudit/replay/world"
)

// catalogue is everything that a protocol may name, and what may be simulated. It is made here, once, and
// handed down to every room.
type catalogue struct {
	*replay.Catalogue
	analysis *analyze.Catalogue
	worlds   *world.Catalogue
}

// known is what this program knows.
func known() *catalogue { return catalogueOf(replay.Standard(), analyze.Known(), world.Standard()) }

// catalogueOf lets those who read protocols know what can be asked.
func catalogueOf(mechanisms *replay.Catalogue, analysis *analyze.Catalogue, worlds *world.Catalogue) *catalogue {
	mechanisms.Asked = analysis.Asked()
	return &catalogue{mechanisms, analysis, worlds}
}
