package world

import (
	"banditaudit/analyze"
	"banditaudit/replay"
)

// full is the standard catalogue with what can be asked, which a starter's
// protocol asks.
func full() *replay.Catalogue {
	return analyze.Standard()
}
