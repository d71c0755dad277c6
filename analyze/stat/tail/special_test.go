package tail

import (
	"math"
	"testing"
)

func TestSpecialCases(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, r := range []struct {
		name      string
		got, want float64
	}{
		{"normal +Inf", LogNormal(inf), -inf},
		{"normal -Inf", LogNormal(-inf), 0},
		{"normal NaN", LogNormal(nan), nan},
		{"normal two-sided 0", LogNormalTwoSided(0), 0},
		{"normal two-sided -Inf", LogNormalTwoSided(-inf), -inf},
		{"normal two-sided NaN", LogNormalTwoSided(nan), nan},
		{"normal quantile -Inf", NormalQuantile(-inf), inf},
		{"normal quantile 0", NormalQuantile(0), -inf},
		{"normal quantile above 0", NormalQuantile(0.1), nan},
		{"normal quantile NaN", NormalQuantile(nan), nan},
		{"student +Inf", LogStudent(inf, 3), -inf},
		{"student -Inf", LogStudent(-inf, 3), 0},
		{"student of infinite df", LogStudent(2, inf), LogNormal(2)},
		{"student of df 0", LogStudent(2, 0), nan},
		{"student NaN", LogStudent(nan, 3), nan},
		{"student of df NaN", LogStudent(1, nan), nan},
		{"student two-sided 0", LogStudentTwoSided(0, 3), 0},
		{"student two-sided -Inf", LogStudentTwoSided(-inf, 3), -inf},
		{"student two-sided of infinite df", LogStudentTwoSided(-2, inf), LogNormalTwoSided(2)},
		{"student two-sided of df below 0", LogStudentTwoSided(1, -1), nan},
		{"student two-sided NaN", LogStudentTwoSided(nan, 1), nan},
		{"student quantile -Inf", StudentQuantile(-inf, 3), inf},
		{"student quantile 0", StudentQuantile(0, 3), -inf},
		{"student quantile of infinite df", StudentQuantile(-9, inf), NormalQuantile(-9)},
		{"student quantile too large", StudentQuantile(-5000, 1), inf},
		{"student quantile above 0", StudentQuantile(1, 3), nan},
		{"student quantile of df 0", StudentQuantile(-1, 0), nan},
		{"fisher 0", LogFisher(0, 2, 3), 0},
		{"fisher below 0", LogFisher(-2, 2, 3), 0},
		{"fisher +Inf", LogFisher(inf, 2, 3), -inf},
		{"fisher of df 0", LogFisher(1, 0, 3), nan},
		{"fisher of infinite df", LogFisher(1, 2, inf), nan},
		{"fisher NaN", LogFisher(nan, 2, 3), nan},
		{"χ² 0", LogChiSquare(0, 3), 0},
		{"χ² +Inf", LogChiSquare(inf, 3), -inf},
		{"χ² of df 0", LogChiSquare(1, 0), nan},
		{"χ² of infinite df", LogChiSquare(1, inf), nan},
		{"χ² NaN", LogChiSquare(nan, 3), nan},
		{"beta x = 0", LogBeta(2, 3, 0, 1), -inf},
		{"beta y = 0", LogBeta(2, 3, 1, 0), 0},
		{"beta a = 0", LogBeta(0, 3, 0.5, 0.5), nan},
		{"beta b < 0", LogBeta(1, -3, 0.5, 0.5), nan},
		{"beta x < 0", LogBeta(1, 3, -0.5, 1.5), nan},
		{"beta y NaN", LogBeta(1, 3, 0.5, nan), nan},
		{"at least 0", LogBinomialAtLeast(0, 5, 0.2), 0},
		{"at least n+1", LogBinomialAtLeast(6, 5, 0.2), -inf},
		{"at least at p = 0", LogBinomialAtLeast(1, 5, 0), -inf},
		{"at least at p = 1", LogBinomialAtLeast(5, 5, 1), 0},
		{"at least of n < 0", LogBinomialAtLeast(1, -5, 0.2), nan},
		{"at least at p > 1", LogBinomialAtLeast(1, 5, 1.2), nan},
		{"at least at NaN", LogBinomialAtLeast(1, 5, nan), nan},
		{"at most n", LogBinomialAtMost(5, 5, 0.2), 0},
		{"at most -1", LogBinomialAtMost(-1, 5, 0.2), -inf},
		{"at most at p = 1", LogBinomialAtMost(4, 5, 1), -inf},
		{"at most of n < 0", LogBinomialAtMost(1, -5, 0.2), nan},
		{"at most at p < 0", LogBinomialAtMost(1, 5, -0.2), nan},
		{"first true nowhere", FirstTrue(1, func(float64) bool { return false }), inf},
		{"first true everywhere", FirstTrue(1, func(float64) bool { return true }), 0},
		{"first true below 0", FirstTrue(-1, func(float64) bool { return true }), nan},
		{"first true NaN", FirstTrue(nan, func(float64) bool { return true }), nan},
		{"first true at a third", FirstTrue(1, func(x float64) bool { return x >= 1.0/3 }), 1.0 / 3},
	} {
		if r.got != r.want && !(math.IsNaN(r.got) && math.IsNaN(r.want)) {
			t.Errorf("%s: %g, want %g", r.name, r.got, r.want)
		}
	}
}
