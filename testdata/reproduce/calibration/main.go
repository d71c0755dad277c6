// Command calibration tests the data of every policy on every counter where the
// truth is known, and writes the page testdata/reproduce/CALIBRATION.md:
//
//	go run ./testdata/reproduce/calibration -o testdata/reproduce/CALIBRATION.md
package main

import (
	"banditaudit/testdata/reproduce"
	"banditaudit/testdata/reproduce/calibrate"
)

func main() { reproduce.Command("calibration", calibrate.Page) }
