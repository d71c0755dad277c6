// Command faults audits logs of bandits that did something else than was
// declared, and clean ones, and writes the page testdata/reproduce/FAULTS.md:
//
//	go run ./testdata/reproduce/faults -o testdata/reproduce/FAULTS.md
package main

import (
	"banditaudit/testdata/reproduce"
	"banditaudit/testdata/reproduce/convict"
)

func main() { reproduce.Command("faults", convict.Page) }
