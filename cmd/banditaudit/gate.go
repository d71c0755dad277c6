package main

import (
	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

// gate turns what does not hold into the error that ends the run, if any.
func gate(overall schemas.Overall, failOn string) error {
	switch {
	case failOn == "never":
		return nil
	case overall.Violated > 0:
		return kit.Tripped(kit.ExitExceptions, overall.String())
	case overall.Open > 0 && failOn != "violated", overall.Cautions > 0 && failOn == "caution":
		return kit.Tripped(kit.ExitIncomplete, overall.String())
	}
	return nil
}
