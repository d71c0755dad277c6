package main

import (
	"banditaudit/analyze"
	"banditaudit/ingest/role"
	"banditaudit/replay"
	"banditaudit/replay/world"
)

// catalogue is everything that a protocol may name, and what may be simulated. It is made here, once, and
// handed down to every room.
type catalogue struct {
	*replay.Catalogue
	analysis *analyze.Catalogue
	worlds   *world.Catalogue
	columns  role.List // that a log may have
}

// known is what this program knows.
func known() *catalogue {
	return catalogueOf(replay.Standard(), analyze.Known(), world.Standard(), role.All())
}

// catalogueOf lets those who read protocols know what can be asked.
func catalogueOf(mechanisms *replay.Catalogue, analysis *analyze.Catalogue, worlds *world.Catalogue, columns role.List) *catalogue {
	mechanisms.Asked = analysis.Asked()
	return &catalogue{mechanisms, analysis, worlds, columns}
}
