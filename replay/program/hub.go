package program

import (
	"slices"
	"strconv"
	"sync"
)

// Running is a program that runs.
type Running interface {
	Exchanger
	Close(last []byte) error
	Stderr() string
}

// Hub is one program that keeps several experiments apart, which it says of itself by many:
// true in its ready. Every experiment has a Session in a goroutine of its own. What sessions
// ask while a line is under way goes together in the next one, so that an answer depends on
// no other experiment, and how many share a line on the moment alone.
//
// What goes wrong is a *Failure of every session that had asked, and of all later ones:
// whose fault it was, only an experiment with a program of its own can say.
type Hub struct {
	run Running

	mu    sync.Mutex
	begun int64 // experiments
	steps int64 // lines of decisions
	queue []*asked
	busy  bool
	dead  error
}

// NewHub takes over a program that has said ready to its first experiment, whose session is
// with it from now on.
func NewHub(run Running, first *Session) *Hub {
	h := &Hub{run: run, begun: 1}
	first.hub, first.many = h, true
	return h
}

// asked is what one session asks for: decisions, or a line of its own.
type asked struct {
	s     *Session
	alone []byte // the line; nil: decisions
	kind  string // of the answer to it
	ask   []Decision

	reply *reply
	err   error
	turn  chan bool // true: write the next line for all that wait; false: it is answered
}

// mostTogether is how many decisions stand in a line of several experiments at most, but for
// the decisions of one.
const mostTogether = 4096

// Begin tells the program of one more experiment. Errors are a *Failure.
func (h *Hub) Begin(start Opening) (*Session, Ready, error) {
	h.mu.Lock()
	index := h.begun
	h.begun++
	h.mu.Unlock()
	start.S = &index
	s := newSession(nil, start)
	s.hub, s.many, s.index = h, true, index
	ready, err := s.begin(start)
	return s, ready, err
}

// Turn is what one of several experiments is told and asked, and what it answers.
type Turn struct {
	Session *Session
	Known   []Reward
	Late    []Play
	Ask     []Decision // of which there is one at least
	Answer  Answer
}

// StepAll is Step of several experiments of the hub, in one line and in that order: what the
// program is sent depends on no moment. Nobody else uses the hub meanwhile. Errors are a
// *Failure that names the first round asked for.
func (h *Hub) StepAll(turns []Turn) error {
	together := make([]*asked, len(turns))
	for i := range turns {
		t := &turns[i]
		t.Session.entries(t.Known, t.Late, t.Ask)
		together[i] = &asked{s: t.Session, ask: t.Ask}
	}
	h.steps++
	if err := h.exchange(h.steps, together); err != nil {
		return At(err, turns[0].Ask[0].Round)
	}
	for i, a := range together {
		turns[i].Answer = Answer{a.reply.A, a.reply.P}
	}
	return nil
}

// Leave says that an experiment is over. Errors are a *Failure.
func (s *Session) Leave() error {
	line := strconv.AppendInt([]byte(`{"k":"end","s":`), s.index, 10)
	_, err := s.exchange(append(line, "}\n"...), "bye")
	return err
}

// Dead reports whether the program has failed.
func (h *Hub) Dead() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dead != nil
}

// Close ends the program.
func (h *Hub) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dead != nil {
		return nil
	}
	h.dead = failed(CauseEnded, "was ended")
	return h.run.Close(End())
}

// ask hands a question on and waits for its answer. Whoever finds the program idle writes the
// next line, for all that wait, and then hands on to the first of those that have come.
func (h *Hub) ask(a *asked) (*reply, error) {
	a.turn = make(chan bool, 1)
	h.mu.Lock()
	h.queue = append(h.queue, a)
	leads := !h.busy
	h.busy = true
	h.mu.Unlock()
	if leads || <-a.turn {
		h.lead()
	}
	return a.reply, a.err
}

// lead writes one line, whose first question is the leader's own, and hands out the answers.
func (h *Hub) lead() {
	h.mu.Lock()
	together := h.together()
	h.steps++
	n, err := h.steps, h.dead
	h.mu.Unlock()
	if err == nil {
		err = h.exchange(n, together)
	}
	h.mu.Lock()
	if err != nil && h.dead == nil {
		h.dead = err
		_ = h.run.Close(nil) // what it failed of is said
	}
	for _, a := range together {
		if a.err == nil {
			a.err = err
		}
	}
	if h.busy = len(h.queue) > 0; h.busy {
		h.queue[0].turn <- true
	}
	h.mu.Unlock()
	for _, a := range together[1:] {
		a.turn <- false
	}
}

// together takes the questions of the next line from the queue.
func (h *Hub) together() []*asked {
	n, decisions := 0, 0
	for n < len(h.queue) && (n == 0 || h.queue[0].alone == nil && h.queue[n].alone == nil && decisions+len(h.queue[n].ask) <= mostTogether) {
		decisions += len(h.queue[n].ask)
		n++
	}
	out := slices.Clone(h.queue[:n])
	h.queue = slices.Delete(h.queue, 0, n)
	return out
}

// exchange writes a line and gives every question its part of the answer.
func (h *Hub) exchange(n int64, together []*asked) error {
	first := together[0]
	if first.alone != nil {
		r, err := answerOf(h.run, first.alone, first.kind)
		if err == nil && (r.S == nil || !slices.Equal(r.S, stamps{first.s.index})) {
			err = failed(CauseMalformed, "answers for experiment (s) %v where %d was asked for", r.S, first.s.index)
		}
		first.reply = r
		return err
	}
	sessions := make([]*Session, len(together))
	for i, a := range together {
		sessions[i] = a.s
	}
	first.s.line = stepLine(first.s.line[:0], n, sessions)
	r, err := answerOf(h.run, first.s.line, "step")
	switch {
	case err != nil:
		return err
	case r.N != n:
		return outOfTurn("answers step %d where step %d was sent", r.N, n)
	}
	if err := r.of(together); err != nil {
		return err
	}
	for _, a := range together {
		a.reply = &reply{A: part(&r.A, len(a.ask)), P: part(&r.P, len(a.ask))}
		a.err = a.s.holdAnswer(a.reply, a.ask)
	}
	for _, a := range together {
		if a.err != nil {
			return a.err
		}
	}
	return nil
}

// of refuses an answer that is not, decision by decision, for the experiments that asked.
func (r *reply) of(together []*asked) error {
	at := 0
	for _, a := range together {
		for range a.ask {
			if at == len(r.S) || r.S[at] != a.s.index {
				return failed(CauseMalformed, "answers for other experiments (s) than those that were asked for, or in another order")
			}
			at++
		}
	}
	if at < len(r.S) {
		return failed(CauseMalformed, "answers for more experiments (s) than were asked for")
	}
	return nil
}

// part takes the first n of what is left.
func part[T any](left *[]T, n int) []T {
	n = min(n, len(*left))
	out := (*left)[:n:n]
	*left = (*left)[n:]
	return out
}
