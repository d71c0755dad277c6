package kit

import "banditaudit/ingest/tableaudir"

// The names of what stands in the directories that banditaudit and banditlab write, beside
// the names of ingest. A name that is written and not among them makes --force refuse to
// replace the directory.
const (
	ResultsFile    = "results.json"
	SuccessFile    = "_SUCCESS"
	EffectiveFile  = "protocol.effective.yaml"
	RunFile        = "run.json"
	ChecksumsFile  = "checksums.txt"
	JUnitFile      = "junit.xml"
	CommitmentFile = "commitment.dsse.json"
	LineageFile    = "openlineage.json"
	ReplayFile     = "replay.json"
	TranscriptFile = "transcript.arrow"
	TruthFile      = "truth.json"
	ProtocolFile   = "protocol.yaml"
	SeedHexFile    = "seed.hex"
	HTMLFile       = "report.html"
	MarkdownFile   = "report.md"
	PlanFile       = "plan.json"
	PlanPage       = "plan.md"
	ReproduceFile  = "reproduce.json"
	ReproducePage  = "reproduce.md"
	LogDir         = "log"
	figuresDir     = "figures"
	TablesDir      = "tables"
)

// ownMarks are, by command, files that stand together in every directory that
// it writes. One common name alone, such as the manifest's, shows nothing.
func ownMarks() [][]string {
	return [][]string{
		{ResultsFile, SuccessFile},                       // audit
		{tableaudir.RoundsFile, tableaudir.ManifestFile}, // ingest
		{ReplayFile, TranscriptFile},                     // replay
		{TruthFile, ProtocolFile, LogDir},                // simulate
		{PlanFile, PlanPage},                             // plan
		{ReproduceFile, ReproducePage},                   // reproduce
	}
}

// VolatileFiles hold what is no function of the inputs: they are in checksums.txt, and in
// no comparison and no signature.
func VolatileFiles() []string { return []string{RunFile, LineageFile} }

// reportNames lists all files and directories that report writes, of which a format has some.
func reportNames() []string { return []string{HTMLFile, MarkdownFile, figuresDir, TablesDir} }

// OwnNames are all names that a directory of either program can hold. A seed
// may have any name; then --force is refused, and its owner removes it.
func OwnNames() []string {
	return append(reportNames(), ResultsFile, SuccessFile, tableaudir.ManifestFile, EffectiveFile, RunFile, ChecksumsFile, JUnitFile, LineageFile, CommitmentFile,
		tableaudir.RoundsFile, tableaudir.UnitsFile, ReplayFile, TranscriptFile, TruthFile, ProtocolFile, LogDir, SeedHexFile,
		ReproduceFile, ReproducePage, PlanFile, PlanPage)
}
