package report

import "banditaudit/schemas"

// maxRejections is how many rejections over all experiments are listed.
const maxRejections = 100

// family adds the declared tests of all experiments taken as one family.
func family(b *builder, r *Digest) {
	f := r.Family
	if f == nil {
		return
	}
	b.heading(2, "All experiments as one family of tests", "/family")
	b.say(familySentence(f.Method))
	t := table{Caption: "One family", Pointer: "/family", RowHead: true, Columns: []column{{Title: "Quantity"}, {Title: "Value"}}}
	t.Rows = []row{
		fact("Adjusted by", multiplicity(f.Method), "/family/method"),
		fact("Level α", short(f.Alpha), "/family/alpha"),
		fact("Experiments with tests", group(f.Experiments), "/family/experiments"),
		fact("Tests", group(f.Tests), "/family/tests"),
		fact("Of these decided (the others take part as p = 1)", group(f.Decided), "/family/decided"),
		fact("Rejected in this family", group(f.Rejected), "/family/rejected"),
		fact("Rejected in the families of their own experiments", group(f.Alone), "/family/alone"),
	}
	if s := f.Smallest; s != nil {
		t.Rows = append(t.Rows, row{Cells: []cell{
			txt("Smallest adjusted p"),
			{Spans: []span{{Text: pvalue(s.PAdjusted, s.Log2P) + " in "}, {Text: familyName(s), Link: s.Evidence}}, Pointer: "/family/smallest/p_adjusted"},
		}})
	}
	b.add(t)
	if f.Note != "" {
		b.note(sentence(f.Note))
	}
	if len(f.Rejections) > 0 {
		b.add(fold{Title: "What is rejected in the family of all experiments", Open: true, Blocks: rejections(f)})
	}
}

func rejections(f *schemas.Family) []block {
	t := table{
		Caption: "Rejected, by adjusted p",
		Pointer: "/family/rejections",
		RowHead: true,
		Columns: []column{{Title: "Experiment"}, {Title: "Test"}, numeric("Adjusted p")},
	}
	for i := range f.Rejections {
		if i == maxRejections {
			break
		}
		r, at := &f.Rejections[i], item("/family/rejections", i)
		t.Rows = append(t.Rows, row{Pointer: at, Cells: []cell{
			txt(label(r.Experiment)),
			{Spans: []span{{Text: label(r.Test), Link: r.Evidence}}},
			number(pvalue(r.PAdjusted, r.Log2P), sub(at, "p_adjusted")),
		}})
	}
	blocks := []block{t}
	listed := int64(len(t.Rows))
	switch more := f.Rejected - listed; {
	case more > 0 && int64(len(f.Rejections)) < f.Rejected:
		blocks = append(blocks, para{Spans: plainText("Another " + group(more) + " are not listed; tables/family.parquet has the " + group(int64(len(f.Rejections))) + " with the smallest p."), Class: "note"})
	case more > 0:
		blocks = append(blocks, para{Spans: plainText("The other " + group(more) + " are in tables/family.parquet."), Class: "note"})
	}
	return blocks
}

func familyName(t *schemas.FamilyTest) string {
	return label(t.Experiment) + ", test " + label(t.Test)
}
