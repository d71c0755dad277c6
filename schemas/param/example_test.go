package param_test

import (
	"encoding/json"
	"fmt"
	"math/big"

	"banditaudit/schemas/param"
)

// 0.1 is one tenth. The float64 next to it is 3602879701896397/2⁵⁵, which is more:
// python3 -c "print((0.1).as_integer_ratio())".
func ExampleParseRational() {
	epsilon, err := param.ParseRational("0.1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(epsilon, "is", epsilon.Rat())
	fmt.Println("the float64 is", new(big.Rat).SetFloat64(epsilon.Float()))
	fmt.Println(epsilon.Equal(param.MustRational("1/10")), epsilon.Equal(param.MustRational("1e-1")))
	_, err = param.ParseRational("1/0")
	fmt.Println(err != nil)
	// Output:
	// 0.1 is 1/10
	// the float64 is 3602879701896397/36028797018963968
	// true true
	// true
}

// faults keeps what a form finds wrong. Whoever judges a protocol keeps the line
// too, and reports one fault of a path only.
type faults []string

func (f *faults) Fail(path, what, why, mend string) {
	*f = append(*f, fmt.Sprintf("%s %s: %s; %s", path, what, why, mend))
}

func (f *faults) Word(path, value string, words []string) {
	*f = append(*f, fmt.Sprintf("%s is %q, not one of %q", path, value, words))
}

func (*faults) Sound(string) bool { return true }

func (*faults) Arms() int { return 3 }

// The value of a key is judged by its form, which also is its JSON Schema.
func ExampleForm() {
	var form param.Form = param.Between(0, 1)
	var found faults
	form.Check(&found, "policy.width.delta", 0.05)
	form.Check(&found, "policy.width.delta", 1.5)
	for _, f := range found {
		fmt.Println(f)
	}
	schema, err := json.Marshal(form.Schema())
	fmt.Println(string(schema), err)
	// Output:
	// policy.width.delta is 1.5: it must lie strictly between 0 and 1; write a number in that range
	// {"anyOf":[{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1},{"$ref":"#/$defs/Fraction"}]} <nil>
}
