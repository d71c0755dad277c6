package program

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// Version is the name of the line protocol.
const Version = "policy/1"

// Opening is the first line: what a program is told of an experiment.
type Opening struct {
	K            string         `json:"k"`        // "start"
	Protocol     string         `json:"protocol"` // Version
	Experiment   string         `json:"experiment"`
	Arms         []string       `json:"arms"` // labels; elsewhere arms are indices into them
	Reward       Range          `json:"reward"`
	Rounds       int64          `json:"rounds"`
	Context      []string       `json:"context,omitempty"`        // names of columns
	ContextWidth int            `json:"context_width,omitempty"`  // of a list column
	ByArm        int            `json:"context_by_arm,omitempty"` // numbers of every arm
	Batches      bool           `json:"batches,omitempty"`
	ReadsRewards bool           `json:"reads_rewards"`
	Update       any            `json:"update"` // as the protocol has it
	Want         []string       `json:"want"`   // arm, propensities
	Parameters   map[string]any `json:"parameters"`
	Seed         string         `json:"seed,omitempty"` // 64 hex digits
}

// Range is the range of rewards.
type Range struct {
	Range []float64 `json:"range"`
}

// Ready is the answer to Opening.
type Ready struct {
	Program, Version string
	Forced           bool // it learns the logged action, not its own answer
}

// Reward is one that became known. P is the logged propensity, NaN where there is none.
type Reward struct {
	Round int64
	Arm   int
	Value float64
	P     float64
}

// Play is a round whose reward is late.
type Play struct {
	Round int64
	Arm   int
}

// Decision is a round that the program is asked for.
type Decision struct {
	Round    int64
	X        []byte    // JSON of the context; nil: none
	XByArm   []float64 // row by row; nil: none
	Eligible []bool    // by arm; nil: all
	Batch    int64     // −1: none
}

// Answer is what a program says of the decisions of a step, in their order.
type Answer struct {
	Arms         []int       // nil where they were not asked for
	Propensities [][]float64 // likewise
}

// Exchanger writes a line and reads the next one.
type Exchanger interface {
	Exchange(line []byte) ([]byte, error)
}

// Session speaks with one program about one experiment.
type Session struct {
	with  Exchanger
	arms  int
	want  []string
	steps int64
	line  []byte // memory
}

// reply is every answer that there is.
type reply struct {
	K       string      `json:"k"`
	N       int64       `json:"n"`
	A       []int       `json:"a"`
	P       [][]float64 `json:"p"`
	Program string      `json:"program"`
	Version string      `json:"version"`
	Gives   []string    `json:"gives"`
	Forced  *bool       `json:"forced"`
	Message string      `json:"message"`
}

// Begin tells a program of an experiment. Errors are a *Failure.
func Begin(with Exchanger, start Opening) (*Session, Ready, error) {
	start.K, start.Protocol = "start", Version
	s := &Session{with: with, arms: len(start.Arms), want: start.Want}
	b, err := json.Marshal(start)
	if err != nil {
		return nil, Ready{}, failed(CauseStart, "was not started: parameters have no form in JSON")
	}
	r, err := s.exchange(append(b, '\n'), "ready")
	if err != nil {
		return nil, Ready{}, err
	}
	for _, w := range start.Want {
		if len(r.Gives) > 0 && !slices.Contains(r.Gives, w) {
			return nil, Ready{}, failed(CauseMalformed, "says that it gives %q, and policy.gives asks for %q", r.Gives, w)
		}
	}
	return s, Ready{r.Program, r.Version, r.Forced == nil || *r.Forced}, nil
}

// exchange reads an answer of one kind.
func (s *Session) exchange(line []byte, kind string) (*reply, error) {
	answer, err := s.with.Exchange(line)
	if err != nil {
		return nil, err
	}
	var r reply
	switch err := json.Unmarshal(answer, &r); {
	case err != nil:
		return nil, failed(CauseMalformed, "answers with a line that is not JSON of the protocol: %s", shown(answer))
	case r.K == "error":
		return nil, failed(CauseRefused, "answers with an error: %s", shown([]byte(r.Message)))
	case r.K != kind:
		return nil, failed(CauseMalformed, "answers with a line of another kind than %q: %s", kind, shown(answer))
	}
	return &r, nil
}

// mostShown is how much of an answer is shown.
const mostShown = 80

func shown(b []byte) string {
	if len(b) > mostShown {
		return strconv.QuoteToASCII(string(b[:mostShown])) + " …"
	}
	return strconv.QuoteToASCII(string(b))
}

// Step says what became known and asks for decisions, of which there must be one.
// Errors are a *Failure that names the first round asked for.
func (s *Session) Step(known []Reward, late []Play, ask []Decision) (Answer, error) {
	s.steps++
	s.line = append(s.line[:0], `{"k":"step","n":`...)
	s.line = strconv.AppendInt(s.line, s.steps, 10)
	s.rewards(known)
	s.plays(late)
	s.line = append(s.line, `,"d":[`...)
	for i := range ask {
		s.comma(i)
		s.decision(&ask[i])
	}
	s.line = append(s.line, "]}\n"...)
	r, err := s.exchange(s.line, "step")
	if err == nil {
		err = s.check(r, ask)
	}
	if err != nil {
		return Answer{}, At(err, ask[0].Round)
	}
	return Answer{r.A, r.P}, nil
}

func (s *Session) comma(i int) {
	if i > 0 {
		s.line = append(s.line, ',')
	}
}

func (s *Session) float(v float64) { s.line = strconv.AppendFloat(s.line, v, 'g', -1, 64) }

func (s *Session) rewards(known []Reward) {
	s.line = append(s.line, `,"l":[`...)
	for i, k := range known {
		s.comma(i)
		s.line = strconv.AppendInt(append(s.line, '['), k.Round, 10)
		s.line = strconv.AppendInt(append(s.line, ','), int64(k.Arm), 10)
		s.line = append(s.line, ',')
		if s.float(k.Value); !math.IsNaN(k.P) {
			s.line = append(s.line, ',')
			s.float(k.P)
		}
		s.line = append(s.line, ']')
	}
	s.line = append(s.line, ']')
}

func (s *Session) plays(late []Play) {
	if len(late) == 0 {
		return
	}
	s.line = append(s.line, `,"h":[`...)
	for i, k := range late {
		s.comma(i)
		s.line = strconv.AppendInt(append(s.line, '['), k.Round, 10)
		s.line = strconv.AppendInt(append(s.line, ','), int64(k.Arm), 10)
		s.line = append(s.line, ']')
	}
	s.line = append(s.line, ']')
}

// decision writes [round], [round, context] or an object with what there is.
func (s *Session) decision(d *Decision) {
	if d.XByArm == nil && d.Eligible == nil && d.Batch < 0 {
		s.line = strconv.AppendInt(append(s.line, '['), d.Round, 10)
		if d.X != nil {
			s.line = append(append(s.line, ','), d.X...)
		}
		s.line = append(s.line, ']')
		return
	}
	s.line = strconv.AppendInt(append(s.line, `{"round":`...), d.Round, 10)
	if d.X != nil {
		s.line = append(append(s.line, `,"x":`...), d.X...)
	}
	if d.XByArm != nil {
		s.byArm(d.XByArm)
	}
	if d.Eligible != nil {
		s.eligible(d.Eligible)
	}
	if d.Batch >= 0 {
		s.line = strconv.AppendInt(append(s.line, `,"b":`...), d.Batch, 10)
	}
	s.line = append(s.line, '}')
}

func (s *Session) byArm(x []float64) {
	s.line = append(s.line, `,"x_by_arm":[`...)
	width := len(x) / s.arms
	for a := range s.arms {
		s.comma(a)
		s.line = append(s.line, '[')
		for i, v := range x[a*width : (a+1)*width] {
			s.comma(i)
			s.float(v)
		}
		s.line = append(s.line, ']')
	}
	s.line = append(s.line, ']')
}

func (s *Session) eligible(arms []bool) {
	s.line = append(s.line, `,"e":[`...)
	n := 0
	for a, ok := range arms {
		if ok {
			s.comma(n)
			s.line = strconv.AppendInt(s.line, int64(a), 10)
			n++
		}
	}
	s.line = append(s.line, ']')
}
