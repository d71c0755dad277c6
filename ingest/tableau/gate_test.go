package tableau

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiscloseBooksOnceAndReadsRewards(t *testing.T) {
	s, b := sample(false, 1, BatchRows-2, BatchRows)
	path, _ := write(t, s, b)
	slice := open(t, path, s).Slice(1)
	book := &ledgerBook{}
	rewards, err := slice.Disclose(book, "test:H1", "arm", "x0")
	if err != nil {
		t.Fatal(err)
	}
	var got []float64
	for range 2 { // walking twice books nothing more
		got = nil
		for i := range slice.Chunks() {
			got = append(got, rewards.Chunk(i)...)
		}
	}
	if !slices.Equal(got, b.Reward[BatchRows-2:]) {
		t.Error("other rewards came out than went in")
	}
	if diff := cmp.Diff([]string{"disclose test:H1 65536 [reward arm x0]"}, book.entries); diff != "" {
		t.Error(diff)
	}
}

// adds records what a mechanism was fed with.
type adds struct {
	arms    []int
	rewards []float64
}

func (a *adds) Add(arm int, reward float64) {
	a.arms, a.rewards = append(a.arms, arm), append(a.rewards, reward)
}

func TestFeedBooksOnceAndHandsRowsOver(t *testing.T) {
	s, b := sample(true, 0, BatchRows-2, BatchRows)
	path, _ := write(t, s, b)
	slice := open(t, path, s).Slice(1)
	book, to := &ledgerBook{}, &adds{}
	feed, err := slice.Feed(book, "hybrid", to)
	if err != nil {
		t.Fatal(err)
	}
	for r := range slice.Rows() {
		feed.Row(r)
	}
	from := BatchRows - 2
	for i := range to.arms {
		if to.arms[i] != int(b.Arm[from+i]) || to.rewards[i] != b.Reward[from+i] {
			t.Fatalf("row %d was fed as arm %d", i, to.arms[i])
		}
	}
	if len(to.arms) != BatchRows {
		t.Errorf("%d rows were fed", len(to.arms))
	}
	if diff := cmp.Diff([]string{"release hybrid 65536"}, book.entries); diff != "" {
		t.Error(diff)
	}
}

func TestFeedRowOutside(t *testing.T) {
	s, b := sample(false, 0, 3, 2)
	path, _ := write(t, s, b)
	feed, err := open(t, path, s).Slice(0).Feed(&ledgerBook{}, "law", &adds{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []int64{-1, 3} { // 3 would be the other experiment's first
		func() {
			defer func() {
				if p := recover(); p != errRow {
					t.Errorf("row %d: %v", row, p)
				}
			}()
			feed.Row(row)
		}()
	}
}

func TestGateIsShutByTheBook(t *testing.T) {
	s, b := sample(false, 0, 3)
	path, _ := write(t, s, b)
	slice := open(t, path, s).Slice(0)
	refusal := errors.New("the budget is spent")
	if r, err := slice.Disclose(&ledgerBook{refuse: refusal}, "test:H1"); !errors.Is(err, refusal) || r != nil {
		t.Errorf("disclosed against the book: %v, %v", r, err)
	}
	if f, err := slice.Feed(&ledgerBook{refuse: refusal}, "law", &adds{}); !errors.Is(err, refusal) || f != nil {
		t.Errorf("fed against the book: %v, %v", f, err)
	}
}

func TestGateChecksRewards(t *testing.T) {
	for name, tc := range map[string]struct {
		value float64
		rng   [2]float64
		bad   bool
	}{
		"NaN":                   {math.NaN(), [2]float64{0, 1}, true},
		"NaN, no range":         {math.NaN(), [2]float64{}, true},
		"infinite, no range":    {math.Inf(1), [2]float64{}, true},
		"largest, no range":     {math.MaxFloat64, [2]float64{}, false},
		"above the range":       {math.Nextafter(1, 2), [2]float64{0, 1}, true},
		"below the range":       {-math.SmallestNonzeroFloat64, [2]float64{0, 1}, true},
		"at the range's end":    {1, [2]float64{0, 1}, false},
		"within a larger range": {-3, [2]float64{-5, 5}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, b := sample(false, 0, 2, 4)
			s.Reward = tc.rng
			b.Reward[4] = tc.value
			path, _ := write(t, s, b)
			tab := open(t, path, s)
			if _, err := tab.Slice(0).Disclose(&ledgerBook{}, "p"); err != nil {
				t.Errorf("the other experiment: %v", err)
			}
			_, err := tab.Slice(1).Disclose(&ledgerBook{}, "p")
			if (err != nil) != tc.bad {
				t.Fatalf("Disclose: %v", err)
			}
			_, ferr := tab.Slice(1).Feed(&ledgerBook{}, "law", &adds{})
			if (ferr != nil) != tc.bad {
				t.Errorf("Feed: %v", ferr)
			}
			if tc.bad && (!errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), `experiment "e1", row 2`)) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Rewards are read once, whoever asks first; what is booked is booked by each.
func TestGateIsSafeForConcurrentUse(t *testing.T) {
	s, b := sampleAll(1, 50000, 7)
	path, _ := write(t, s, b)
	tab := open(t, path, s)
	var group sync.WaitGroup
	books := make([]ledgerBook, 8)
	for i := range books {
		group.Go(func() {
			for e := range 2 {
				rewards, err := tab.Slice(e).Disclose(&books[i], "p")
				if err != nil {
					t.Error(err)
					return
				}
				if want := (s.Experiments[e].Rows + int64(e) + 3) / 7; rewards.Missing() != want {
					t.Errorf("%d rewards are missing, not %d", rewards.Missing(), want)
				}
			}
		})
	}
	group.Wait()
	for i := range books {
		if diff := cmp.Diff([]string{"disclose p 50000 [reward]", "disclose p 7 [reward]"}, books[i].entries); diff != "" {
			t.Error(diff)
		}
	}
}

// A damaged reward is told again without reading again.
func TestGateReadsOnce(t *testing.T) {
	s, b := sample(false, 0, 5)
	path, _ := write(t, s, b)
	tab := newTableau(inMemory(readFile(t, path)), s)
	if err := tab.load(); err != nil {
		t.Fatal(err)
	}
	rewards := tab.batches[0].float64s(colReward, 0, 5)
	old := rewards[2]
	rewards[2] = 7
	if _, err := tab.Slice(0).Disclose(&ledgerBook{}, "p"); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
	rewards[2] = old
	if _, err := tab.Slice(0).Feed(&ledgerBook{}, "law", &adds{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("the rewards were read again: %v", err)
	}
}
