package rerun

import "context"

// progressKey is the key of what WithProgress puts into a context.
type progressKey struct{}

// WithProgress returns a context in which Test tells how many rounds its runs have played,
// of how many at most: 0 before the first run, and all at its end, however early that is.
// It is told from one goroutine. The result does not depend on it.
func WithProgress(ctx context.Context, tell func(done, total int64)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// progressOf is whom Test tells in a context.
func progressOf(ctx context.Context) func(done, total int64) {
	if tell, ok := ctx.Value(progressKey{}).(func(done, total int64)); ok {
		return tell
	}
	return func(_, _ int64) {}
}
