package protocolinit

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/ingest/guess"
	"banditaudit/schemas"
)

// log writes the roles of columns.
func (s *starter) log() {
	s.line("log:")
	s.order()
	if c := s.role(schemas.KeyAction); c != nil {
		s.entry(2, "action:", yamlText(c.Column), because(c))
	} else {
		s.entry(2, "# action: COLUMN", "", "DECIDE: which column has the arm that was played? None looks like it.")
	}
	s.rewardColumn()
	for _, key := range []string{schemas.KeyPropensity, schemas.KeyPropensityByArm, schemas.KeyReleasedByArm, schemas.KeyEligible} {
		if c := s.role(key); c != nil {
			s.column(key, c)
			s.setBy(key)
		}
	}
	s.spread()
	if s.role(schemas.KeyPropensity) == nil && s.role(schemas.KeyPropensityByArm) == nil {
		s.entry(2, "# propensity: COLUMN", "", "no column looks like the probability of the logged action")
	}
	if s.role(schemas.KeyPropensity) != nil || s.role(schemas.KeyPropensityByArm) != nil {
		s.entry(2, "# propensity_resolution: 1e-5", "", "how far they may be from the true ones, by how they were computed; absent, their decimals are found")
		s.draws()
	}
	if c := s.role(schemas.KeyKeepProb); c != nil {
		s.entry(2, "# keep_prob: {column: "+yamlText(c.Column)+"}", "", "DECIDE: were rows dropped from the log by chance, each kept with this probability? "+because(c))
		s.entry(2, "# keep_by: unknown", "", "DECIDE: what had dropping a row read? schedule (nothing that it held) | action (its arm, not its reward) | rewards | unknown")
	}
	s.context()
	if c := s.role(schemas.KeyRewardOrder); c != nil {
		s.entry(2, "# reward_order: "+yamlText(c.Column), "", "DECIDE: did rewards become known later than the next round? A null says never, and a time equal to that of a choice that the choice did not know it. "+because(c))
		s.setBy(schemas.KeyRewardOrder)
	}
	if c := s.role(schemas.KeyUnit); c != nil {
		s.entry(2, "# unit: "+yamlText(c.Column), "", "DECIDE: are rows of one unit dependent? "+because(c))
		s.setBy(schemas.KeyUnit)
	}
	if c := s.role(schemas.KeyBatch); c != nil {
		s.entry(2, "# batch: "+yamlText(c.Column), "", "DECIDE: did the policy learn only between batches? "+because(c))
		s.setBy(schemas.KeyBatch)
	}
}

// spread writes the SQL that makes a list of propensities that have a column each.
func (s *starter) spread() {
	names := sqlNames(s.draft.Spread)
	if len(names) == 0 || s.role(schemas.KeyPropensityByArm) != nil {
		return
	}
	s.entry(2, "# propensity_by_arm: propensity_by_arm", "", "DECIDE: are "+strings.Join(names, ", ")+" the propensities of all arms? They are named by the arms and add to 1. The key takes one column of lists, in the order of arms. As here with DuckDB:")
	s.line("  #   COPY (SELECT *, [%s] AS propensity_by_arm FROM read_parquet('log/*.parquet')) TO 'log.parquet' (FORMAT parquet);", strings.Join(names, ", "))
}

// draws writes the key that says by how many draws propensities were estimated. It
// is a comment: no log can tell that they were.
func (s *starter) draws() {
	const decide = "DECIDE: were they estimated by drawing so many times, and not computed? A number | {column: NAME} | unknown; absent: they were computed"
	if c := s.role(schemas.KeyPropensityDraws); c != nil {
		s.entry(2, "# propensity_draws: {column: "+yamlText(c.Column)+"}", "", decide+". "+because(c))
		return
	}
	s.entry(2, "# propensity_draws: 10000", "", decide)
}

// setBy writes the key that says what whoever set a column may have read, where
// there is one. It is a comment: no log can tell.
func (s *starter) setBy(column string) {
	for _, by := range schemas.SetBys() {
		if !slices.Contains(by.Columns, column) {
			continue
		}
		s.entry(2, "# "+by.Key+": "+schemas.SetBySchedule, "", "DECIDE: were rewards read to decide "+by.What+"? schedule (no) | released (released values alone) | rewards | unknown; absent: "+by.Default)
	}
}

// column writes a role. Of lists by arm it is a comment until the order of arms
// is known: read in another order, they tell of a policy that nobody had.
func (s *starter) column(key string, c *guess.DraftColumn) {
	switch {
	case !c.ByArm || s.told() && s.draft.Complete && c.Column == s.draft.ArmOrder.Column:
		s.entry(2, key+":", yamlText(c.Column), because(c))
	case s.told():
		s.entry(2, "# "+key+": "+yamlText(c.Column), "", "DECIDE: are its lists in the order of arms? "+because(c))
	default:
		s.entry(2, "# "+key+": "+yamlText(c.Column), "", "DECIDE: declare arms in the order of its lists first. "+because(c))
	}
}

// told reports whether the log tells the order of the arms.
func (s *starter) told() bool { return s.draft.ArmOrder.Column != "" }

func (s *starter) order() {
	d := s.draft
	if len(d.Order) == 0 {
		s.entry(2, "# order: [COLUMN]", "", "DECIDE: in which order were the rounds played? No column looks like time or a sequence. If the rows' order in the files is it, add a row number in SQL.")
		return
	}
	var why []string
	for _, name := range d.Order {
		for i := range d.Columns {
			if c := &d.Columns[i]; c.Column == name && c.Role == schemas.KeyOrder {
				why = append(why, schemas.Printable(name)+" "+because(c))
			}
		}
	}
	s.entry(2, "order:", yamlList(d.Order), strings.Join(why, ". "))
	if d.Ties == 0 {
		return
	}
	s.entry(2, "# ties: file-order", "", fmt.Sprintf("DECIDE: %s of the sample tie with another row. If the rows' order in the files is their order in time, say so; else add a column that sets them apart.", terminal.Count(d.Ties, "row")))
}

// rewardColumn writes the reward, or how to join it.
func (s *starter) rewardColumn() {
	if c := s.role(schemas.KeyRewardByArm); c != nil {
		s.column(schemas.KeyRewardByArm, c)
		return
	}
	c := s.role(schemas.KeyReward)
	switch {
	case c == nil && s.draft.Reward.Text != "":
		s.condition(s.draft.Reward.Text)
		return
	case c == nil:
		s.join()
		return
	}
	s.entry(2, "reward:", yamlText(c.Column), because(c))
	if s.draft.Reward.Cast {
		s.comment(2, "It looks like 0/1, and its type holds fractions. If every reward is 0 or 1, "+schemas.CastRewards+". As here with DuckDB:")
		s.line("  #   COPY (SELECT * REPLACE (%s::TINYINT AS %[1]s) FROM read_parquet('log/*.parquet')) TO 'log.parquet' (FORMAT parquet);", sqlName(c.Column))
	}
	if c.Missing {
		s.entry(2, "# missing_reward: exclude", "", "DECIDE: it has nulls, which are refused as it stands. exclude | exclude-independent (declared not to depend on the reward) | error")
	}
}

// condition writes the SQL that makes a reward of a text.
func (s *starter) condition(text string) {
	s.entry(2, "# reward: "+yamlText(text), "", "DECIDE: it is named like a reward, but it is text, and a reward is a boolean or a number.")
	for _, l := range []string{
		"Write the condition that it stands for, as here with DuckDB, and take log.parquet for the log:",
		"  COPY (",
		"    SELECT * REPLACE (" + sqlName(text) + " = 'yes' AS " + sqlName(text) + ")  -- whatever word means 1; cast it instead where it holds numbers",
		"    FROM read_parquet('log/*.parquet')",
		"  ) TO 'log.parquet' (FORMAT parquet);",
		"The range of a condition is [0, 1].",
	} {
		s.line("  #   %s", l)
	}
}

// join writes the SQL that brings the reward to the log.
func (s *starter) join() {
	keys := s.draft.Keys
	if len(keys) == 0 {
		keys = []string{"KEY"}
	}
	on := make([]string, len(keys))
	for i, k := range keys {
		on[i] = "o." + sqlName(k) + " = d." + sqlName(k)
	}
	s.entry(2, "# reward: reward", "", "DECIDE: no column looks like a reward.")
	for _, l := range []string{
		"If it is in another table, join it, as here with DuckDB, and take log.parquet for the log:",
		"  COPY (",
		"    SELECT d.*, o.reward",
		"    FROM read_parquet('decisions/*.parquet') AS d",
		"    LEFT JOIN (",
		"      SELECT " + strings.Join(sqlNames(keys), ", ") + ", sum(OUTCOME) AS reward  -- one row per decision, or rows double",
		"      FROM read_parquet('outcomes/*.parquet')",
		"      GROUP BY " + strings.Join(sqlNames(keys), ", "),
		"    ) AS o ON " + strings.Join(on, " AND "),
		"  ) TO 'log.parquet' (FORMAT parquet);",
		"A decision without an outcome has a null: COALESCE(o.reward, 0) if that means none,",
		"or declare missing_reward if it means that nobody knows.",
	} {
		s.line("  #   %s", l)
	}
}

// sqlName quotes an identifier of SQL, on one line.
func sqlName(name string) string {
	if plainText.MatchString(name) && !strings.ContainsAny(name, ".-") {
		return name
	}
	return `"` + strings.ReplaceAll(schemas.Printable(name), `"`, `""`) + `"`
}

func sqlNames(names []string) []string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = sqlName(n)
	}
	return quoted
}

// context writes contexts: by arm, as a list, or flat.
func (s *starter) context() {
	if c := s.role(schemas.KeyContextByArm); c != nil {
		s.entry(2, "# "+schemas.KeyContextByArm+": "+yamlText(c.Column), "", "DECIDE: was it known before the action was chosen, and are its lists in the order of arms? "+because(c))
		s.setBy(schemas.KeyContextByArm)
		return
	}
	var flat []*guess.DraftColumn
	for i := range s.draft.Columns {
		c := &s.draft.Columns[i]
		switch {
		case c.Role != schemas.KeyContext:
		case strings.HasPrefix(c.Type, "list"):
			s.entry(2, "# context: {list: "+yamlText(c.Column)+"}", "", "DECIDE: was it known before the action was chosen? "+because(c))
			s.setBy(schemas.KeyContext)
			return
		default:
			flat = append(flat, c)
		}
	}
	if len(flat) == 0 {
		return
	}
	s.entry(2, "# context:", "", "DECIDE: which were known before the action was chosen? Take the # of this line and of those away: the allocation is held against them, and regressions read them")
	for _, c := range flat {
		item := yamlText(c.Column)
		if len(c.Levels) > 0 {
			item = "{column: " + item + ", levels: " + yamlLabels(c.Levels) + ", baseline: " + yamlLabel(c.Baseline) + "}"
		}
		s.line("  #   - %-*s # %s", beside-len("  #   - "), item, because(c)) // on one line, so that a block of them can be taken as it is
	}
	s.setBy(schemas.KeyContext)
}
