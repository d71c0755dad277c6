package schemas

import "testing"

// Of how many rewards a number is said, and of both directions; of an arm with nothing
// to change in one direction the other alone.
func TestBindingWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		up, down Changeable
		want     string
	}{
		{Changeable{100, 3225}, Changeable{1241, 4967}, "of arm a at least 1,241 of 4,967 rewards above 0 could be set to 0, and at least 100 of 3,225 below 2.5 to 2.5"},
		{Changeable{20, 40}, Changeable{0, 60}, "of arm a at least 20 of 40 rewards below 2.5 could be set to 2.5, and at least 0 of 60 above 0 to 0"},
		{Changeable{350, 350}, Changeable{250, 250}, "of arm a all 350 rewards below 2.5 could be set to 2.5, and all 250 above 0 to 0"},
		{Changeable{}, Changeable{3, 9}, "of arm a at least 3 of 9 rewards above 0 could be set to 0"},
	} {
		if got := (&ArmBinding{Up: c.up, Down: c.down}).Words("a", 0, 2.5); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
	arms := []ArmBinding{{Arm: "a", Up: Changeable{2, 9}}, {Arm: "b", Down: Changeable{3, 5}}, {Arm: "c"}}
	if most := (&Binding{Arms: arms}).Most(); most != &arms[1] {
		t.Errorf("%+v", most)
	}
	if most := (&Binding{Arms: arms[2:]}).Most(); most != nil {
		t.Errorf("%+v", most)
	}
}
