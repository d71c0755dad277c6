package schemas_test

import (
	"errors"
	"fmt"

	"banditaudit/replay"
	"banditaudit/schemas"
)

// A protocol is read with the catalogue of what it may name. What is not
// declared has its default, which is 2^-20 for the grid of a counter.
func ExampleCatalogue_ParseProtocol() {
	d, err := replay.Standard().Format().ParseProtocol("protocol.yaml", []byte(`version: 1
experiment: {id: cta, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [control, blue]
reward: {range: [0, 1]}
policy: {name: softmax, eta: 0.1}
counter: {name: tree, epsilon: 0.25, horizon: 1000}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	p := &d.Protocol
	line, col := d.At("counter.epsilon")
	fmt.Println(p.Policy.Name, "with η =", p.Policy.Own.Float("eta"))
	fmt.Println(p.Counter.Name, "with ε =", p.Counter.Epsilon.Rat(), fmt.Sprintf("declared at line %d, column %d", line, col))
	fmt.Println("grid", p.Counter.Grid, "declared:", d.Given("counter.grid"))
	// Output:
	// softmax with η = 0.1
	// tree with ε = 1/4 declared at line 7, column 32
	// grid 2^-20 declared: false
}

// All that is wrong with a protocol is said at once, in the order of the file:
// where it stands, what is written there and how to mend it.
func ExampleCatalogue_ParseProtocol_problems() {
	_, err := replay.Standard().Format().ParseProtocol("protocol.yaml", []byte(`version: 1
experiment: {id: cta, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [control, blue]
reward: {range: [1, 0]}
policy: {name: sotfmax}
`))
	problems, _ := errors.AsType[schemas.Problems](err)
	for _, p := range problems {
		fmt.Printf("line %d: %s; %s\n", p.Line, p.What, p.Mend)
	}
	// Output:
	// line 5: reward.range is [1, 0]; write [lower, upper]
	// line 6: policy.name is "sotfmax"; write softmax
}

// Labels come from logs. Whatever a reader could not see in one, or could be
// misled by, is written as its code point: U+202E turns the direction of writing.
func ExamplePrintable() {
	fmt.Println(schemas.Printable("blue\u202eneerg"))
	fmt.Println(schemas.Printable("blue\nVERIFIED"))
	fmt.Println(schemas.Printable("größer"))
	fmt.Println(schemas.Named("blue "))
	// Output:
	// blue⟨U+202E⟩neerg
	// blue⟨U+000A⟩VERIFIED
	// größer
	// "blue "
}
