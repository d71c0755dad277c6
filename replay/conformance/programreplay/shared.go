package programreplay

import (
	"context"
	"errors"
	"sync"

	"banditaudit/replay/program"
)

// shared are the programs that keep several experiments apart: one for first runs, one for
// those with other rewards, and one for third runs, so that no second run is answered by a
// process that has seen the log.
type shared struct {
	ctx context.Context //nolint:containedctx // of all experiments

	mu   sync.Mutex
	hubs map[int]*program.Hub
	all  []*program.Hub
	none bool // the program does not keep them apart
}

// Share lets experiments share a process, where the program says many: true. What is not
// as declared there, and whatever goes wrong, is looked at again with a process of the
// experiment's own, so that only what holds there is said. Processes end with ctx, and by
// Close.
func (p *Programs) Share(ctx context.Context) {
	p.shared = &shared{ctx: ctx, hubs: map[int]*program.Hub{}}
}

// Close ends all shared programs.
func (p *Programs) Close() error {
	if p.shared == nil {
		return nil
	}
	p.shared.mu.Lock()
	defer p.shared.mu.Unlock()
	var err error
	for _, h := range p.shared.all {
		err = errors.Join(err, h.Close())
	}
	p.shared.hubs, p.shared.all = map[int]*program.Hub{}, nil
	return err
}

// enter begins the experiment in the program of so manieth runs; nil where it is no
// program that is shared. The first one learns whether it is.
func (p *shared) enter(run int, e *execution) (*program.Session, program.Ready, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.none {
		return nil, program.Ready{}, nil
	}
	if h := p.hubs[run]; h != nil && !h.Dead() {
		s, ready, err := h.Begin(e.opening())
		return s, ready, err
	}
	running, err := e.start(p.ctx)
	if err != nil {
		return nil, program.Ready{}, err
	}
	s, ready, err := program.Begin(running, e.opening())
	if err != nil || !ready.Many {
		p.none = err == nil
		return nil, ready, errors.Join(err, running.Close(program.End()))
	}
	p.hubs[run] = program.NewHub(running, s)
	p.all = append(p.all, p.hubs[run])
	return s, ready, nil
}
