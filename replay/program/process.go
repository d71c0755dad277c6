package program

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"time"
)

// MostLine is the longest line that is read, in bytes.
const MostLine = 16 << 20

const (
	lookEvery = 50 * time.Millisecond // between two looks at memory
	goodbye   = 2 * time.Second       // for a program that was told that all is over
)

// Command is what is run, and within what.
type Command struct {
	Argv    []string      // Required: the program and its arguments, as they are handed over
	Env     []string      // the whole environment
	Timeout time.Duration // for an answer; above 0
	First   time.Duration // for the first; above 0
	Memory  int64         // resident bytes of the program and all that it started; above 0
	Scratch string        // where the program's own directory is made; "" for the system's
}

// Mark is the variable by which processes that a program started are known: its value is
// the directory that was made for the program.
const Mark = "BANDITAUDIT_PROGRAM"

// Process is a program that runs, in a fresh empty directory and a process group of its
// own. One goroutine uses it. On Linux what it starts is found wherever it goes (see kin);
// elsewhere what leaves its process group is not followed.
type Process struct {
	Command

	cmd      *exec.Cmd
	dir      string
	in, out  *os.File
	lines    *bufio.Reader
	stderr   tail
	timer    *time.Timer
	answered bool
	forget   func() bool   // of the context
	done     chan struct{} // closed when the process has been waited for
	watched  chan struct{} // closed when nobody looks at memory any more
	started  chan error
	kin      *kin
	spare    [512]byte // for what comes before it was asked for

	mu    sync.Mutex
	cause *Failure // why it was stopped; nil: it was not
}

// Start runs a program. Whoever starts one ends it by Close. The program, and all of its
// process group, is killed as soon as ctx ends. Errors are a *Failure.
func Start(ctx context.Context, c Command) (*Process, error) {
	p := &Process{Command: c, done: make(chan struct{}), watched: make(chan struct{}), started: make(chan error)}
	dir, err := os.MkdirTemp(c.Scratch, "banditaudit-program-")
	if err != nil {
		return nil, failed(CauseStart, "could not be started: %s", err)
	}
	p.dir = dir
	if err := p.start(); err != nil {
		return nil, errors.Join(failed(CauseStart, "could not be started: %s", err), os.RemoveAll(dir))
	}
	p.timer = time.AfterFunc(c.First, func() { p.stop(failed(CauseTime, "gave no answer in time")) })
	p.timer.Stop()
	p.kin = newKin(p.cmd.Process.Pid, p.mark())
	p.forget = context.AfterFunc(ctx, func() { p.stop(failed(CauseEnded, "was stopped")) })
	go p.watch()
	return p, nil
}

// mark is the variable that the program and its kin have.
func (p *Process) mark() string { return Mark + "=" + p.dir }

// start makes the pipes and the process.
func (p *Process) start() error {
	adopt()
	theirIn, in, err := os.Pipe()
	if err != nil {
		return err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return errors.Join(err, theirIn.Close(), in.Close())
	}
	p.in, p.out, p.lines = in, out, bufio.NewReaderSize(out, 64<<10)
	p.cmd = exec.Command(p.Argv[0], p.Argv[1:]...) //nolint:gosec,noctx // what the user allowed; the context kills its group
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = p.dir, append(slices.Clone(p.Env), p.mark()), theirIn, theirOut, &p.stderr
	p.cmd.WaitDelay, p.cmd.SysProcAttr = goodbye, ownGroup()
	go p.run()
	err = <-p.started
	closed := errors.Join(theirIn.Close(), theirOut.Close())
	if err != nil {
		return errors.Join(err, in.Close(), out.Close())
	}
	return closed
}

// run starts the process and waits for it, on one thread: where the system kills a program
// together with whoever started it, that is the thread.
func (p *Process) run() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.done)
	err := p.cmd.Start()
	p.started <- err
	if err != nil {
		return
	}
	_ = p.cmd.Wait() // ended looks at how it ended
	p.kill()         // whatever it left behind
}

// kill kills the process group.
func (p *Process) kill() {
	killGroup(p.cmd.Process)
}

// stop ends the program for a reason; the first one counts.
func (p *Process) stop(cause *Failure) {
	p.mu.Lock()
	if p.cause == nil {
		p.cause = cause
	}
	p.mu.Unlock()
	p.kill()
	_ = p.in.Close()  // a reader or writer that waits goes on
	_ = p.out.Close() // although somebody outside the group may hold the other end
}

// stopped is why the program was stopped; nil where it was not.
func (p *Process) stopped() *Failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause
}

// watch looks at the memory of the program and its kin until the program has ended.
func (p *Process) watch() {
	defer close(p.watched)
	ticks := time.NewTicker(lookEvery)
	defer ticks.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-ticks.C:
			if p.kin.bytes() > p.Memory {
				p.stop(tooLarge(p.Memory))
			}
		}
	}
}

// Exchange writes a line, which ends with its newline, and reads the answer: the next line
// that is not blank, without its newline, until the next call. Errors are a *Failure.
func (p *Process) Exchange(line []byte) ([]byte, error) {
	if f := p.early(); f != nil {
		return nil, f
	}
	limit := p.Timeout
	if !p.answered {
		limit = p.First
	}
	p.timer.Reset(limit)
	defer p.timer.Stop()
	_, err := p.in.Write(line)
	for err == nil {
		var answer []byte
		if answer, err = p.line(); err == nil && len(bytes.TrimSpace(answer)) > 0 {
			p.answered = true
			return answer, nil
		}
	}
	if f, ok := errors.AsType[*Failure](err); ok {
		return nil, f
	}
	return nil, p.ended()
}

// early is what a program has written although it was not asked; nil where that is nothing
// but blanks. What comes a moment later is taken for an answer, which it is only where it
// answers the question.
func (p *Process) early() *Failure {
	written, _ := p.lines.Peek(p.lines.Buffered()) // which is there
	for {
		if text := bytes.TrimSpace(written); len(text) > 0 {
			text, _, _ = bytes.Cut(text, []byte("\n"))
			return outOfTurn("writes a line before a question was sent: %s", shown(text))
		}
		_, _ = p.lines.Discard(p.lines.Buffered())
		if written = waiting(p.out, p.spare[:]); len(written) == 0 {
			return nil
		}
	}
}

// line reads one line of bounded length.
func (p *Process) line() ([]byte, error) {
	part, err := p.lines.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return part, err
	}
	line := bytes.Clone(part)
	for errors.Is(err, bufio.ErrBufferFull) {
		part, err = p.lines.ReadSlice('\n')
		if line = append(line, part...); len(line) > MostLine {
			return nil, failed(CauseMalformed, "writes a line of more than %d bytes", MostLine)
		}
	}
	return line, err
}

// ended says how a program ended that gives no more answers.
func (p *Process) ended() *Failure {
	if f := p.stopped(); f != nil {
		return f
	}
	select { // a program that ends closes its output a moment before
	case <-p.done:
	case <-time.After(goodbye):
		return failed(CauseEnded, "closed its input or output")
	}
	if f := p.stopped(); f != nil {
		return f
	}
	return failed(CauseEnded, "ended without an answer (%s)", p.cmd.ProcessState)
}

// Close says last, if anything, waits a moment for the program to end, kills what is left
// of it and its kin, and removes its directory. No process and no goroutine is left.
func (p *Process) Close(last []byte) error {
	p.forget()
	p.kin.bytes() // whose parents may end before the next look
	if len(last) > 0 && p.stopped() == nil {
		p.timer.Reset(goodbye)
		_, _ = p.in.Write(last) // whoever has gone already hears nothing, and that is no fault
	}
	_ = p.in.Close()
	if p.stopped() == nil {
		select {
		case <-p.done:
		case <-time.After(goodbye):
		}
	}
	p.timer.Stop()
	p.stop(failed(CauseEnded, "was ended"))
	<-p.done
	<-p.watched
	ended := p.kin.end()
	err := os.RemoveAll(p.dir)
	if !ended {
		err = errors.Join(err, failed(CauseEnded, "left processes that could not be ended"))
	}
	return err
}

// Stderr is the end of what the program wrote to its standard error.
func (p *Process) Stderr() string { return p.stderr.text() }
