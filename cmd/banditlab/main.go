// Command banditlab is the laboratory of banditaudit: it simulates logs with known truth,
// plans experiments, and counts what the promises of banditaudit rest on.
//
//	banditlab simulate --policy ucb --counter exact --means 0.4,0.6 --rounds 20000 -o DIR
//
// See banditlab help.
package main

import (
	"os"

	"banditaudit/cmd/banditlab/command"
)

func main() { os.Exit(command.New().Main()) }
