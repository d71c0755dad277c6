package main

import (
	"banditaudit/ingest/stored"
)

// The names of what stands in the directories that this program writes, beside
// those of ingest. A name that is written and not among them makes --force
// refuse to replace the directory.
const (
	resultsFile    = "results.json"
	successFile    = "_SUCCESS"
	effectiveFile  = "protocol.effective.yaml"
	runFile        = "run.json"
	checksumsFile  = "checksums.txt"
	replayFile     = "replay.json"
	transcriptFile = "transcript.arrow"
	truthFile      = "truth.json"
	protocolFile   = "protocol.yaml"
	seedHexFile    = "seed.hex"
	htmlFile       = "report.html"
	markdownFile   = "report.md"
	planFile       = "plan.json"
	planPage       = "plan.md"
	reproduceFile  = "reproduce.json"
	reproducePage  = "reproduce.md"
	logDir         = "log"
	figuresDir     = "figures"
	tablesDir      = "tables"
)

// ownMarks are, by command, files that stand together in every directory that
// it writes. One common name alone, such as that of the manifest, shows nothing.
func ownMarks() [][]string {
	return [][]string{
		{resultsFile, successFile},               // audit
		{stored.RoundsFile, stored.ManifestFile}, // ingest
		{replayFile, transcriptFile},             // replay
		{truthFile, protocolFile, logDir},        // simulate
		{planFile, planPage},                     // plan
		{reproduceFile, reproducePage},           // reproduce
	}
}

// reportNames are all that report writes, of which a format has some.
func reportNames() []string { return []string{htmlFile, markdownFile, figuresDir, tablesDir} }

// ownNames are all names that a directory of this program's can hold. A seed
// may have any name; then --force is refused, and its owner removes it.
func ownNames() []string {
	return append(reportNames(), resultsFile, successFile, stored.ManifestFile, effectiveFile, runFile, checksumsFile,
		stored.RoundsFile, stored.UnitsFile, replayFile, transcriptFile, truthFile, protocolFile, logDir, seedHexFile,
		reproduceFile, reproducePage, planFile, planPage)
}
