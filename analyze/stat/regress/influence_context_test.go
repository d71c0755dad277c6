package regress

import (
	"context"
	"errors"
	"testing"
)

// Bounds over many contexts can be cancelled.
func TestBoundsAreCancelled(t *testing.T) {
	d := random(7, 50, 2)
	s := NewInfluence(d.fit(true), 100)
	s.AddBlock(d.x, d.y, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.BoundsContext(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
