package analyze_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/cmd/banditlab/calibration"
)

// powerOf is the probability that a method rejects upwards on n rows, by a sum
// over every count of ones: p is corrected, where the page inverts the level.
func powerOf(z calibration.Size, method int, n int64) float64 {
	logAlpha := math.Log(calibration.Alpha)
	levels := []maxinfo.Level{{Cost: z.Epsilon, Rows: n}}
	correct := map[int]func(logP float64) float64{
		calibration.Naive:     func(logP float64) float64 { return logP },
		calibration.Renyi:     maxinfo.Renyi(levels).Apply,
		calibration.Moments:   maxinfo.Moments(levels).Apply,
		calibration.Theorem20: func(logP float64) float64 { return maxinfo.Theorem20(logP, z.Epsilon, n*calibration.Arms).LogP },
	}[method]
	factorial := func(k int64) float64 { v, _ := math.Lgamma(float64(k) + 1); return v }
	mean, power := .5+z.Gap, 0.0
	for x := n/2 + 1; x <= n; x++ {
		if correct(hypothesis.BinomialLogP(x, n, .5, hypothesis.TwoSided)) <= logAlpha {
			power += math.Exp(factorial(n) - factorial(x) - factorial(n-x) + float64(x)*math.Log(mean) + float64(n-x)*math.Log1p(-mean))
		}
	}
	return power
}

// A number of rounds is the least at which the power is 0.8 and stays there up
// to a quarter more, not the tip of the first tooth that reaches it.
func TestRoundsKeepTheirPower(t *testing.T) {
	t.Parallel()
	z := calibration.Size{Epsilon: 0.05, Gap: 0.2}
	for method, rounds := range z.Rounds() {
		if method == calibration.Sequence {
			continue
		}
		n := rounds / calibration.Arms
		if n == 0 || n*calibration.Arms != rounds {
			t.Fatalf("method %d: %d rounds, want some turns of the arms", method, rounds)
		}
		if p := powerOf(z, method, n-1); p >= .8 {
			t.Errorf("method %d: power %v with a turn less than %d rounds", method, p, rounds)
		}
		for more := n; float64(more) <= 1.25*float64(n); more++ {
			if p := powerOf(z, method, more); p < .8 {
				t.Errorf("method %d: power %v on %d rows, want 0.8 from %d on", method, p, more, n)
			}
		}
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []float64
		want   float64
	}{{[]float64{3}, 3}, {[]float64{4, 1, 2}, 2}, {[]float64{4, 1, 2, 8}, 3}} {
		if got := calibration.Median(c.values); got != c.want {
			t.Errorf("median of %v: %v, want %v", c.values, got, c.want)
		}
	}
}

// section returns the cells of the rows of the table under a heading, and of
// those of its subsections.
func section(page, heading string) [][]string {
	_, rest, _ := strings.Cut(page, "\n## "+heading+"\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	var rows [][]string
	for line := range strings.Lines(rest) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| ε |") && !strings.HasPrefix(line, "| policy") {
			rows = append(rows, strings.Split(strings.Trim(line, "| "), " | "))
		}
	}
	return rows
}

// rate reads a percentage; NaN where none is.
func rate(cell string) float64 {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// largestRate is the largest in one column of a table of true hypotheses.
func largestRate(rows [][]string, column int, keep func(epsilon string) bool) string {
	top := 0.0
	for _, r := range rows {
		if !keep(r[1]) {
			continue
		}
		for cell := range strings.SplitSeq(r[column], " / ") {
			top = max(top, rate(cell))
		}
	}
	return fmt.Sprintf("up to %.1f%% (", top)
}

// spread is how the page says between what ratios are, and their median by
// sorting.
func spread(v []float64) string {
	slices.Sort(v)
	middle := v[len(v)/2]
	if len(v)%2 == 0 {
		middle = (v[len(v)/2-1] + v[len(v)/2]) / 2
	}
	return fmt.Sprintf("%.2f to %.2f, median %.2f", v[0], v[len(v)-1], middle)
}

// What the top of the page says follows from the tables of the page.
func TestPageSaysWhatItsTablesSay(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../testdata/reproduce/CALIBRATION.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	top, _, _ := strings.Cut(page, "\n## ")
	top = regexp.MustCompile(`\s+`).ReplaceAllString(top, " ")
	var want []string
	private := func(epsilon string) bool { return epsilon != "∞" && epsilon != "0" }
	for _, heading := range []string{"Every arm has mean ½", "Coefficients of contexts without an effect"} {
		rows := section(page, heading)
		want = append(want, largestRate(rows, 3, func(string) bool { return true }), largestRate(rows, 4, private),
			largestRate(rows, 3, func(epsilon string) bool { return epsilon == "0" }), fmt.Sprintf("%d tests", 3*len(rows)))
	}
	want = append(want, largestRate(section(page, "Every arm has mean ½"), 3, private))
	if _, open, _ := strings.Cut(page, "\n### Open:"); largestRate(section("\n## \n"+open, ""), 4, private) != "up to 0.0% (" {
		t.Error("a corrected test rejects in the setting Open, where the top says that none does")
	}
	want = append(want, saidOfPower(page)...)
	want = append(want, saidOfRounds(page)...)
	for _, w := range want {
		if !strings.Contains(top, w) {
			t.Errorf("the top of the page does not say %q, which follows from its tables; write it again with the command that it names", w)
		}
	}
}

// saidOfPower lists what follows from the table of power.
func saidOfPower(page string) []string {
	var gains, all, price []float64
	for _, r := range section(page, "Power") {
		naive, d, published := rate(r[3]), rate(r[4]), rate(r[6])
		if !(published > 0) {
			continue
		}
		all = append(all, d/published)
		if r[1] == "0.05" {
			gains, price = append(gains, d/published), append(price, d/naive)
		}
	}
	return []string{spread(gains), spread(all), spread(price)}
}

// saidOfRounds lists what follows from the table of rounds.
func saidOfRounds(page string) []string {
	var over, better []float64
	largest := ""
	for _, r := range section(page, "Rounds that power 80% takes") {
		over = append(over, rate(r[5])/rate(r[3]))
		better = append(better, min(rate(r[5]), rate(r[6]))/rate(r[3]))
		if over[len(over)-1] == slices.Max(over) {
			largest = fmt.Sprintf("%s in place of %s, where the confidence sequence needs %s, %.2f times", r[5], r[3], r[6], rate(r[6])/rate(r[3]))
		}
	}
	return []string{largest, spread(over), spread(better)}
}
