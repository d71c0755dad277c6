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
	S            *int64         `json:"s,omitempty"`    // index of the experiment, of the second and later ones of one process
}

// Range is the range of rewards.
type Range struct {
	Range []float64 `json:"range"`
}

// Ready is the answer to Opening.
type Ready struct {
	Program, Version string
	Forced           bool // it learns the logged action, not its own answer
	Many             bool // it keeps several experiments apart, by their index s
	Snapshot         bool // it goes back to a state that it was asked to keep
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
	hub   *Hub  // that it shares the program of; nil: it has one of its own
	many  bool  // the program keeps experiments apart, and everything carries their index
	index int64 // of the experiment in the program

	known, late, asked, line []byte // memory: entries of l, h and d, and the line
}

// reply is every answer that there is.
type reply struct {
	K       string      `json:"k"`
	N       int64       `json:"n"`
	S       stamps      `json:"s"`
	A       []int       `json:"a"`
	P       [][]float64 `json:"p"`
	Program string      `json:"program"`
	Version string      `json:"version"`
	Gives   []string    `json:"gives"`
	Forced  *bool       `json:"forced"`
	Many    bool        `json:"many"`
	Keeps   bool        `json:"snapshot"`
	Message string      `json:"message"`
}

// stamps are indices of experiments: one for each decision, or the one that a line is about.
type stamps []int64

// UnmarshalJSON reads a list, or a number alone.
func (s *stamps) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, (*[]int64)(s))
	}
	*s = stamps{0}
	return json.Unmarshal(b, &(*s)[0])
}

// Begin tells a program of an experiment. Errors are a *Failure.
func Begin(with Exchanger, start Opening) (*Session, Ready, error) {
	s := newSession(with, start)
	ready, err := s.begin(start)
	if err != nil {
		return nil, Ready{}, err
	}
	return s, ready, nil
}

func newSession(with Exchanger, start Opening) *Session {
	return &Session{with: with, arms: len(start.Arms), want: start.Want}
}

func (s *Session) begin(start Opening) (Ready, error) {
	start.K, start.Protocol = "start", Version
	b, err := json.Marshal(start)
	if err != nil {
		return Ready{}, failed(CauseStart, "was not started: parameters have no form in JSON")
	}
	r, err := s.exchange(append(b, '\n'), "ready")
	if err != nil {
		return Ready{}, err
	}
	for _, w := range start.Want {
		if len(r.Gives) > 0 && !slices.Contains(r.Gives, w) {
			return Ready{}, failed(CauseMalformed, "says that it gives %q, and policy.gives asks for %q", r.Gives, w)
		}
	}
	s.many = s.many || r.Many
	return Ready{r.Program, r.Version, r.Forced == nil || *r.Forced, s.many, r.Keeps}, nil
}

// Keep has a program that says snapshot keep its state, and Restore has it go back to that
// one, as often as it is asked. Errors are a *Failure.
func (s *Session) Keep() error { return s.state("snapshot") }

// Restore is the other half of Keep.
func (s *Session) Restore() error { return s.state("restore") }

func (s *Session) state(kind string) error {
	_, err := s.exchange([]byte(`{"k":"`+kind+`","n":1}`+"\n"), "ok")
	return err
}

// exchange writes a line and reads an answer of one kind.
func (s *Session) exchange(line []byte, kind string) (*reply, error) {
	if s.hub != nil {
		return s.hub.ask(&asked{s: s, alone: line, kind: kind})
	}
	return answerOf(s.with, line, kind)
}

// answerOf writes a line and reads an answer of one kind.
func answerOf(with Exchanger, line []byte, kind string) (*reply, error) {
	answer, err := with.Exchange(line)
	if err != nil {
		return nil, err
	}
	var r reply
	switch err := json.Unmarshal(answer, &r); {
	case err != nil:
		return nil, failed(CauseMalformed, "answers with a line that is not JSON of the protocol: %s", shown(answer))
	case twice(answer) != nil:
		return nil, failed(CauseMalformed, "answers with a line that has the key %s twice: %s", shown(twice(answer)), shown(answer))
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
	s.entries(known, late, ask)
	r, err := s.step(ask)
	if err != nil {
		return Answer{}, At(err, ask[0].Round)
	}
	return Answer{r.A, r.P}, nil
}

func (s *Session) step(ask []Decision) (*reply, error) {
	if s.hub != nil {
		return s.hub.ask(&asked{s: s, ask: ask})
	}
	s.steps++
	s.line = stepLine(s.line[:0], s.steps, []*Session{s})
	r, err := answerOf(s.with, s.line, "step")
	switch {
	case err != nil:
		return nil, err
	case r.N != s.steps:
		return nil, outOfTurn("answers step %d where step %d was sent", r.N, s.steps)
	case s.many:
		if err := r.of([]*asked{{s: s, ask: ask}}); err != nil {
			return nil, err
		}
	}
	return r, s.holdAnswer(r, ask)
}

// stepLine is the line of step n, with the entries of some sessions.
func stepLine(line []byte, n int64, sessions []*Session) []byte {
	line = strconv.AppendInt(append(line, `{"k":"step","n":`...), n, 10)
	list := func(name string, always bool, of func(s *Session) []byte) {
		begun := false
		for _, s := range sessions {
			entries := of(s)
			if len(entries) == 0 {
				continue
			}
			if !begun {
				line = append(append(append(line, `,"`...), name...), `":[`...)
			} else {
				line = append(line, ',')
			}
			begun = true
			line = append(line, entries...)
		}
		switch {
		case begun:
			line = append(line, ']')
		case always:
			line = append(append(append(line, `,"`...), name...), `":[]`...)
		}
	}
	list("l", true, func(s *Session) []byte { return s.known })
	list("h", false, func(s *Session) []byte { return s.late })
	list("d", true, func(s *Session) []byte { return s.asked })
	return append(line, "}\n"...)
}

// entries writes the entries of l, h and d, each with the index of the experiment in front
// where the program keeps several apart.
func (s *Session) entries(known []Reward, late []Play, ask []Decision) {
	keep := s.line
	s.line = s.known[:0]
	s.rewards(known)
	s.known, s.line = s.line, s.late[:0]
	s.plays(late)
	s.late, s.line = s.line, s.asked[:0]
	for i := range ask {
		s.comma(i)
		s.decision(&ask[i])
	}
	s.asked, s.line = s.line, keep
}

func (s *Session) comma(i int) {
	if i > 0 {
		s.line = append(s.line, ',')
	}
}

// open begins an entry of a round.
func (s *Session) open(round int64) {
	s.line = append(s.line, '[')
	if s.many {
		s.line = append(strconv.AppendInt(s.line, s.index, 10), ',')
	}
	s.line = strconv.AppendInt(s.line, round, 10)
}

func (s *Session) float(v float64) { s.line = strconv.AppendFloat(s.line, v, 'g', -1, 64) }

func (s *Session) rewards(known []Reward) {
	for i, k := range known {
		s.comma(i)
		s.open(k.Round)
		s.line = strconv.AppendInt(append(s.line, ','), int64(k.Arm), 10)
		s.line = append(s.line, ',')
		if s.float(k.Value); !math.IsNaN(k.P) {
			s.line = append(s.line, ',')
			s.float(k.P)
		}
		s.line = append(s.line, ']')
	}
}

func (s *Session) plays(late []Play) {
	for i, k := range late {
		s.comma(i)
		s.open(k.Round)
		s.line = strconv.AppendInt(append(s.line, ','), int64(k.Arm), 10)
		s.line = append(s.line, ']')
	}
}

// decision writes [round], [round, context] or an object with all keys that the decision
// has.
func (s *Session) decision(d *Decision) {
	if d.XByArm == nil && d.Eligible == nil && d.Batch < 0 {
		s.open(d.Round)
		if d.X != nil {
			s.line = append(append(s.line, ','), d.X...)
		}
		s.line = append(s.line, ']')
		return
	}
	s.line = append(s.line, '{')
	if s.many {
		s.line = append(strconv.AppendInt(append(s.line, `"s":`...), s.index, 10), ',')
	}
	s.line = strconv.AppendInt(append(s.line, `"round":`...), d.Round, 10)
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
