package analyze_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/dialects"
	"banditaudit/schemas"
)

const mendDialects = "; write the page again with the command that it names"

// The page of dialects has every setting, and some of its rows are counted again.
func TestDialectsPage(t *testing.T) {
	t.Parallel()
	again := regexp.MustCompile(`^(ε-greedy of obp \| actions|Thompson, Beta, by batches \| actions|Thompson by 1,000 draws, best two \||hash of GrowthBook, version 1, 10)`)
	page, settings := dialectsPage(t), dialects.Settings()
	for i := range settings {
		s := &settings[i]
		want := "\n" + s.Start()
		if again.MatchString(s.Name()) && !testing.Short() {
			counts, _, err := s.Count(dialects.Logs)
			if err != nil {
				t.Fatal(err)
			}
			want = "\n" + s.Line(counts) + "\n"
		}
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q%s", want, mendDialects)
		}
	}
}

// So with laws that are declared wrongly, of logs of 500 rounds.
func TestDialectsWrongPage(t *testing.T) {
	t.Parallel()
	page, wrongs := dialectsPage(t), dialects.Wrongs()
	for i := range wrongs {
		lengths := dialects.Lengths()[:0]
		if i%11 == 0 && !testing.Short() {
			lengths = dialects.Lengths()[:1]
		}
		line, err := wrongs[i].Line(lengths...)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page, "\n"+line) {
			t.Errorf("the page has no row that begins with %q%s", line, mendDialects)
		}
	}
}

// The sums are those of the rows, and no claim is VIOLATED more often than by chance.
func TestDialectsSums(t *testing.T) {
	t.Parallel()
	page, settings := dialectsPage(t), dialects.Settings()
	logs := len(settings) * dialects.Logs
	for kind, column := range map[string]int{schemas.KindConformance: 4, schemas.KindAllocation: 5} {
		violated := 0
		for i := range settings {
			_, row, _ := strings.Cut(page, "\n"+settings[i].Start())
			cells := strings.Split(settings[i].Start()+row, "|")
			if n, err := strconv.Atoi(bold(cells[column])); err == nil {
				violated += n
			}
		}
		_, sum, _ := strings.Cut(page, "\n| "+kind+" | ")
		if n, err := strconv.Atoi(bold(sum)); err != nil || n != violated {
			t.Errorf("%s: rows with %d in all, and a sum of %q: %v%s", kind, violated, bold(sum), err, mendDialects)
		}
		if violated > dialects.Most(logs) {
			t.Errorf("%s is VIOLATED in %d of %d logs, and may be in %d", kind, violated, logs, dialects.Most(logs))
		}
	}
}

// Means that are moved by each reward split arms that are equal here by rounding, in one
// direction throughout: of an honest log of nine arms whose ties are drawn evenly, 83 such
// rounds made p = 9e-10.
func TestDialectsSplitTies(t *testing.T) {
	t.Parallel()
	for _, s := range dialects.Settings() {
		if s.Name() != "UCB of river | p of all" {
			continue
		}
		for _, told := range []dialects.Evidence{dialects.All, dialects.Actions} {
			found, err := s.Told(29, told)
			if err != nil {
				t.Fatal(err)
			}
			if c := found.First().Replay; c.Law.Allocation.Rejected || c.NearTies.Rounds < 100 {
				t.Errorf("%s: %+v, near ties %+v", told, c.Law.Allocation, c.NearTies)
			}
		}
		return
	}
	t.Error("no such setting")
}

// bold is the first bold text.
func bold(of string) string {
	parts := strings.SplitN(of, "**", 3)
	if len(parts) < 3 {
		return ""
	}
	return parts[1]
}

// Of 2,000 logs 7 may be VIOLATED: P(N > 7) = 0.00110 and P(N > 6) = 0.0045 of a Poisson
// variable of mean 2 (scipy.stats.poisson.sf).
func TestDialectsMost(t *testing.T) {
	for logs, want := range map[int]int{1: 0, 2_000: 7, 10_000: 21} {
		if n := dialects.Most(logs); n != want {
			t.Errorf("of %d logs %d may be, want %d", logs, n, want)
		}
	}
}

func dialectsPage(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "testdata", "reproduce", "DIALECTS.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
