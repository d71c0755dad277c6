package convict

import (
	"fmt"
	"testing"
	"time"
)

func TestSmoke(t *testing.T) {
	for _, m := range Mechanisms() {
		s := time.Now()
		ts, err := Clean(m, 500, 1, 4)
		if err != nil {
			t.Error(m.Name, err)
			continue
		}
		fmt.Println(time.Since(s))
		for i := range ts {
			fmt.Println(ts[i].Line())
		}
		s = time.Now()
		_, err = Clean(m, 50000, 1, 1)
		if err != nil {
			t.Error(m.Name, err)
		}
		fmt.Println("50000", time.Since(s))
	}
}
