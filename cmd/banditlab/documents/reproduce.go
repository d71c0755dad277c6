package documents

import (
	"strings"

	"banditaudit/schemas"
)

// ReproduceSchema is the value of Reproduction.Schema.
const ReproduceSchema = "reproduce.v1"

// Verdicts on a printed figure. NotReproduced judges the figure under the named settings,
// and says nothing of how the figure was made.
const (
	Reproduced    = "reproduced"
	MagnitudeOnly = "magnitude only"
	NotReproduced = "not reproduced"
	// TooFewRuns says that nothing contradicts the figure, and that more runs might: of the
	// short form, or of an interval that holds several times the number.
	TooFewRuns = "too few runs"
)

// Reproduction is reproduce.json: the experiments of Neel and Roth (2018) run
// again. It holds no clock, host or path; the same seed and size give the same
// bytes for any number of jobs.
type Reproduction struct {
	Schema      string            `json:"schema" schema:"const=reproduce.v1"` // always ReproduceSchema
	Tool        schemas.Tool      `json:"tool"`
	Size        string            `json:"size" schema:"words=full|short"` // full | short
	Seed        int64             `json:"seed" schema:"range=(-inf,inf)"`
	Experiments []PaperExperiment `json:"experiments"`
}

// PaperExperiment is one experiment of the paper, or one that stands beside it.
type PaperExperiment struct {
	ID       string         `json:"id" schema:"words=E1|E2|E3|e3-intercept|E4"` // E1 | E2 | E3 | e3-intercept | E4
	Title    string         `json:"title"`
	Question string         `json:"question"` // what it asks, in one sentence
	Settings []PaperSetting `json:"settings"`
	Figures  []PaperFigure  `json:"figures"`
	Gates    []PaperGate    `json:"gates"`
	Plots    []PaperPlot    `json:"plots"`
	Notes    []string       `json:"notes"` // what was found out, and what the paper leaves open
}

// PaperSetting is one policy in one world, simulated for a number of runs.
type PaperSetting struct {
	ID       string       `json:"id"`
	Words    string       `json:"words"` // policy, width, world, what was assumed where the paper is silent
	Arms     int          `json:"arms" schema:"range=[1,inf)"`
	Rounds   int64        `json:"rounds"`
	Runs     int64        `json:"runs"`
	Measures []PaperValue `json:"measures"`
	ByArm    []PaperArm   `json:"by_arm"`
}

// PaperValue is an estimate with its 95 % interval over runs.
type PaperValue struct {
	Name  string   `json:"name"` // such as "average absolute bias"
	Value float64  `json:"value"`
	Lo    *float64 `json:"lo"`
	Hi    *float64 `json:"hi"`
}

// PaperArm is the bias of one arm's mean over runs.
type PaperArm struct {
	Arm   int     `json:"arm" schema:"range=[1,inf)"` // from 1
	Mean  float64 `json:"mean"`
	Pulls float64 `json:"pulls"` // on average
	Bias  float64 `json:"bias"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// PaperFigure is one figure that the paper prints.
type PaperFigure struct {
	ID      string   `json:"id"`
	What    string   `json:"what"`
	Paper   string   `json:"paper"` // as printed
	Ours    float64  `json:"ours"`
	Lo      *float64 `json:"lo"`
	Hi      *float64 `json:"hi"`
	Setting string   `json:"setting"` // ID of a PaperSetting
	// Reproduced | MagnitudeOnly | NotReproduced | TooFewRuns
	Verdict string `json:"verdict" schema:"words=reproduced|magnitude only|not reproduced|too few runs"`
	Why     string `json:"why"` // one sentence
}

// PaperGate is a number that a correct simulation gives, whatever its generator.
type PaperGate struct {
	What   string  `json:"what"`
	Value  float64 `json:"value"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	Passed bool    `json:"passed"`
}

// PaperPlot is what one figure is drawn from.
type PaperPlot struct {
	ID     string      `json:"id"`
	Title  string      `json:"title"`
	Kind   string      `json:"kind" schema:"words=arms|curves|histogram"` // arms (points with intervals) | curves | histogram
	XLabel string      `json:"x_label"`
	YLabel string      `json:"y_label"`
	Lines  []PaperLine `json:"lines"`
	Mark   *float64    `json:"mark"` // a line across, such as 0.05
}

// PaperLine is one series of a plot; Lo and Hi are empty where there are no
// intervals. Of a histogram X holds the left edges, and the last right one.
type PaperLine struct {
	Label string    `json:"label"`
	X     []float64 `json:"x"`
	Y     []float64 `json:"y"`
	Lo    []float64 `json:"lo"`
	Hi    []float64 `json:"hi"`
}

// over stands between the two settings of a figure that is a ratio.
const over = " over "

// SettingsRatio is the setting of a figure that divides one setting by another.
func SettingsRatio(dividend, divisor string) string { return dividend + over + divisor }

// Settings are the IDs of the settings that a figure is made from.
func (f *PaperFigure) Settings() []string { return strings.Split(f.Setting, over) }
