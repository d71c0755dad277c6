package report

// methods adds how each kind of number is made, and from which source.
func methods(b *builder) {
	b.heading(2, "Method and sources", "")
	t := table{RowHead: true, Columns: []column{{Title: "Number"}, {Title: "How it is made"}, {Title: "Source"}}}
	for _, m := range methodLines() {
		t.Rows = append(t.Rows, row{Cells: []cell{txt(m[0]), txt(m[1]), txt(m[2])}})
	}
	b.add(t)
}

func methodLines() [][3]string {
	return [][3]string{
		{"Replay", "The declared policy is asked for its choice on the logged history of every round, and goes on with the logged action.", "Neel and Roth 2018, arXiv:1806.02329"},
		{"ε of the declared mechanism", "Largest cost of a row, Σ sensitivity/scale over the noisy releases that cover it, over all action sequences; in exact fractions. Arms compose in parallel.", "Chan, Shi and Song 2011, doi:10.1145/2043621.2043626; pathwise form: own derivation, unpublished, internally reviewed"},
		{"ε realised", "The same on the logged action sequence only; it is not a DP parameter.", "own derivation, unpublished, internally reviewed"},
		{"Bias bound", "(hi−lo)·(1/N)·Σ tanh(c/4) over the N rows of the arm with costs c. Beside it the published (hi−lo)·(e^ε−1).", "own derivation, unpublished, internally reviewed; Neel and Roth 2018"},
		{"σ", "σ² = 2·Σρ(c) over the rows that the test reads, ρ(c) = ln((e^c−1)/c) − 1 + c/(e^c−1).", "constant: Harrison and Manurangsi, arXiv:2510.25746"},
		{"Corrected p", "exp(−½·(√(2·ln(1/p)) − σ)²) if p < exp(−σ²/2), otherwise 1. Conditional on the action sequence.", "own derivation from known parts, unpublished, internally reviewed"},
		{"Corrected interval", "The raw interval at the level whose corrected p is α.", "as the corrected p"},
		{"Paper's route", "β + 2^k·p at the best β, k = log2(e)·(ε²n/2 + ε·√(n·ln(2/β)/2)), ε of the declared mechanism, n all rounds.", "Dwork et al. 2015, arXiv:1506.02629, Theorem 20; Neel and Roth 2018"},
		{"Confidence sequence", "Half-width (Δ/2N)·√((N+ρ)·(ln((N+ρ)/ρ) + 2·ln(K/α))), ρ = 100, union over K arms, Δ the range of the reward.", "Robbins 1970, doi:10.1214/aoms/1177696786"},
		{"IPW mean", "(1/T)·Σ 1{arm played}·reward/propensity over the T rounds in which the arm could be played; not given where a reward is missing.", "Horvitz and Thompson 1952, doi:10.1080/01621459.1952.10483446"},
		{"Allocation (H05)", "Pulls against Σ p with variance Σ p·(1−p) where the propensities of all arms are logged; else Σ 1/p of the logged actions against the rounds in which the arm could be played. Level 0.001 over all experiments of the log: per arm (Holm), jointly, and, with batches, each batch and arm (Bonferroni). Where the propensities are the same in all rounds by the binomial and χ² laws; otherwise by supermartingales mixed over sizes fixed in advance, which hold for any propensities: wagers on 1{A=a}/p, Freedman's where p of all arms is known, likelihood ratios jointly.", "Ville 1939, Étude critique de la notion de collectif; Freedman 1975, doi:10.1214/aop/1176996452; Waudby-Smith and Ramdas 2024, doi:10.1093/jrsssb/qkad009"},
		{"Missing rewards (H11)", "Equal shares over arms: Pearson's χ², or where a count is expected below 5 the hypergeometric law of each arm against the others, times the arms.", "Fisher 1934, Statistical Methods for Research Workers, 5th edition"},
		{"Exact test", "Binomial; two-sided p = min(1, twice the smaller tail), with the Clopper–Pearson interval.", "Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404"},
		{"Regression", "Ordinary least squares; classical or heteroscedasticity-consistent covariance; rank measured, dependent columns dropped and named.", "MacKinnon and White 1985, doi:10.1016/0304-4076(85)90158-7"},
		{"Adjusted p", "Holm's step-down procedure on the corrected p-values of all declared tests, unless the protocol names another.", "Holm 1979, Scandinavian Journal of Statistics 6, 65–70"},
	}
}

// reverify adds how to check this report and make it again.
func reverify(b *builder, r *Digest) {
	b.heading(2, "How to re-verify", "/run_id")
	b.say("In the directory of this report, the first command checks that no file was changed since the report was made. The second makes the audit again from the log and the protocol file that was audited, with the seed that it names (protocol.effective.yaml holds the seed's digest only and does not suffice); the third compares. Input digests are listed under inputs.")
	b.add(code{Lines: []string{
		"sha256sum -c checksums.txt",
		"banditaudit audit -p PROTOCOL -o again LOG",
		"cmp results.json again/results.json",
	}})
	b.say("The same inputs, protocol, program and platform give the same bytes of results.json. The report and its tables and figures follow from results.json alone:")
	b.add(code{Lines: []string{"banditaudit report -o again-report results.json"}})
	t := table{RowHead: true, Columns: []column{{Title: "Identity"}, {Title: ""}}, Rows: []row{
		{Cells: []cell{txt("Run id"), mono(r.RunID)}},
		{Cells: []cell{txt("Program"), txt(label(r.Tool.Name) + " " + label(r.Tool.Version))}},
		{Cells: []cell{txt("Schema"), txt(r.Schema)}},
	}}
	b.add(t)
}
