// Command banditaudit audits logged bandit experiments: it says what a log can
// verify, what contradicts it and what cannot be checked.
//
//	banditaudit audit -p protocol.yaml -o DIR LOG...
//
// See banditaudit help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"

	"banditaudit/analyze"
	"banditaudit/ingest/role"
	"banditaudit/replay"
	"banditaudit/replay/world"
)

func main() { os.Exit(realMain()) }

// realMain is main as a function of the operating system.
func realMain() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	// A reader of stdout or stderr that has gone away must not kill the run:
	// its write fails instead, which printing takes for no error.
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, ending()...)
	go func() {
		// The first signal asks the run to end and clean up; a second one,
		// from an impatient user, has its default effect.
		s, ok := (<-signals).(syscall.Signal)
		signal.Stop(signals)
		if ok {
			cancel(&signalError{s})
		}
	}()
	screen := os.Getenv("CI") == "" && os.Getenv("TERM") != "dumb"
	p := &process{
		stdout: os.Stdout, stderr: os.Stderr, now: time.Now, argv: os.Args,
		terminal: term.IsTerminal(int(os.Stderr.Fd())) && screen,
		colour:   term.IsTerminal(int(os.Stdout.Fd())) && screen,
	}
	if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		p.columns = columns
	}
	return execute(ctx, p, os.Args[1:])
}

// ending are the signals that ask a run to end and clean up. A hang-up is none where whoever
// started the program has it ignored, as nohup has.
func ending() []os.Signal {
	out := []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		out = append(out, syscall.SIGHUP)
	}
	return out
}

// catalogue is everything that a protocol may name, and what may be simulated. It is made here, once, and
// handed down to every room.
type catalogue struct {
	*replay.Catalogue
	analysis *analyze.Catalogue
	worlds   *world.Catalogue
	columns  role.List // that a log may have
}

// known is what this program knows.
func known() *catalogue {
	return catalogueOf(replay.Standard(), analyze.Known(), world.Standard(), role.All())
}

// catalogueOf lets those who read protocols know what can be asked.
func catalogueOf(mechanisms *replay.Catalogue, analysis *analyze.Catalogue, worlds *world.Catalogue, columns role.List) *catalogue {
	mechanisms.Asked = analysis.Asked()
	return &catalogue{mechanisms, analysis, worlds, columns}
}
