package guess_test

import (
	"context"
	"fmt"

	"banditaudit/ingest/files"
	"banditaudit/ingest/guess"
	"banditaudit/ingest/role"
)

// What each column may be is guessed from a sample of rows. The order of the arms is
// that of the alphabet where nothing in the log tells another.
func ExampleGuess() {
	ctx := context.Background()
	log, err := files.Discover(ctx, []string{"../../testdata/homepage/log"})
	if err != nil {
		fmt.Println(err)
		return
	}
	draft, err := guess.Guess(ctx, role.All(), log, 512<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("arms:", draft.Arms)
	for _, c := range draft.Columns {
		fmt.Println(c.Column+":", c.Confidence, c.Role)
	}
	// Output:
	// arms: [blue control green large video]
	// round: likely order
	// action: likely action
	// reward: likely reward
	// x0: possible context
	// x1: possible context
	// x2: possible context
}
