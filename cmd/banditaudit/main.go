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
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
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
