package param

// Horizon says what a counter does with counter.horizon, a number of rounds.
type Horizon int

// What a counter may do with a horizon.
const (
	HorizonRefused Horizon = iota // it has none, and a policy's bonus alone may ask for one
	HorizonAllowed                // it says nothing of its own
	HorizonNeeded                 // the counter is built for so many rounds
)

// Counter is what a protocol's reader has to know of a counter.
type Counter struct {
	Name     string
	Doc      string // one sentence, without its subject
	Noise    bool   // it adds noise, and has ε and a grid
	Horizon  Horizon
	Paced    bool // it releases after every ⌈1/ε⌉ rows
	Exponent bool // its noise grows with the sum, by counter.exponent
	Forgets  bool // a sum may hold fewer rows than the arm was played
	Fresh    bool // every sum that it releases has noise of its own
	PerRow   bool // a sum has a noise for each of its rows
}
