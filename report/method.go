package report

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
