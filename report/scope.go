package report

// scope adds who declared what, what the procedures are, and what is shown.
func scope(b *builder, r *Digest) {
	b.heading(2, "Scope and responsibilities", "")
	b.say("Whoever ran the experiment declared the protocol shown in the next section and supplied the log. The procedures were carried out on that log by " +
		label(r.Tool.Name) + " " + label(r.Tool.Version) + ", without changing it. Whoever uses this report judges whether the procedures suit the purpose.")
	b.say("The procedures are not an audit or a review in the professional sense; no assurance is expressed, and other procedures might have found other matters. The report is for those who agreed the procedures. It is not signed.")
	if r.count > maxFull {
		b.say("The log holds " + group(int64(r.count)) + " experiments. The first " + group(maxFull) +
			" are shown in full; the others are in the overview, in the Parquet tables and in results.json.")
	}
	if r.count > maxDrawn {
		b.say("Figures are drawn for the first " + group(maxDrawn) + " experiments only; tables/series.parquet and the other tables hold what the rest would be drawn from.")
	}
	b.note("Numbers are rounded to 4 significant digits, privacy parameters and bounds upward; results.json holds them in full. A pointer such as /experiments/0/arms names the place in results.json that a table shows.")
}
