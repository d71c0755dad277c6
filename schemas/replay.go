package schemas

// ReplaySchema is the value of Replay.Schema.
const ReplaySchema = "replay.v1"

// Modes of conformance, best evidence first.
const (
	ModeSeed       = "seed"
	ModeReleased   = "released"
	ModePropensity = "propensity"
	ModeLaw        = "law"
	ModeNone       = "none"
)

// Replay is replay.json: conformance and ledger of every experiment.
type Replay struct {
	Schema        string             `json:"schema" schema:"const=replay.v1"` // always ReplaySchema
	Tool          Tool               `json:"tool"`
	TableauSHA256 string             `json:"tableau_sha256" schema:"sha256"`
	Protocol      string             `json:"protocol_sha256" schema:"sha256"` // Protocol.MechanismDigest of what was replayed
	Experiments   []ReplayExperiment `json:"experiments"`
}

// ReplayExperiment is the replay of one experiment.
type ReplayExperiment struct {
	ID          string      `json:"id"`
	Conformance Conformance `json:"conformance"`
	Privacy     Accounting  `json:"privacy"`
}
