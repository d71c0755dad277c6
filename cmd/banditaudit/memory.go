package main

import (
	"fmt"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/tableau"
	"banditaudit/report/digest"
	"banditaudit/schemas"
)

// What an arm takes, in bytes: its record, its line in the figure of the allocation, and
// while its experiment is in work.
const (
	armRecord = 512
	armLine   = 1280
	armWork   = 1280

	armScores  = 6144 // where propensities weigh rewards: beside, its scores in the rounds of a block, for each job
	armWagers  = 4096 // and its accounts of check H17, of at most mostWagers arms
	mostWagers = 1 << 12
)

// showable refuses, before the analysis, more arms than a report can be made of within the
// limit. Of the experiments that it lists it holds every arm:
//
//	arms × (512·listed + 1280·drawn) + work ≤ ¾ of the limit
func showable(arms, experiments int, work, limit int64) error {
	need := int64(arms)*(armRecord*int64(min(experiments, digest.MostListed))+armLine*int64(min(experiments, schemas.SeriesExperiments))) + work
	if need <= limit-limit/4 {
		return nil
	}
	return fmt.Errorf("%w: what an audit holds of %s in %s takes about %d MiB, of %d allowed; raise --max-memory, or check that log.action names the arm that was played, and no id",
		fault.ErrResource, schemas.Counted(int64(arms), "arm"), schemas.Counted(int64(experiments), "experiment"), need>>20, limit>>20)
}

// working is what all arms take while they are in work: in outer experiments at one time,
// and where propensities weigh, in as many chunks of each as it has jobs, if the longest has
// as many.
func (pl *pipeline) working(t *tableau.Tableau, outer, inner int) int64 {
	arms := int64(t.Arms())
	each := armWork * arms
	if m := pl.declared.Mechanism; t.Schema().Propensity || m != nil && m.Known() {
		chunks := 1
		for i := 0; i < t.Experiments() && chunks < inner; i++ {
			chunks = max(chunks, t.Slice(i).Chunks())
		}
		each += armScores*arms*int64(min(inner, chunks)) + armWagers*min(arms, mostWagers)
	}
	return each * int64(outer)
}

// affordStates refuses, before the replay, strata whose states of the policy take more than
// half of what an experiment may use.
func (pl *pipeline) affordStates(s *tableau.Slice, memory int64) error {
	m := pl.declared.Mechanism
	if m == nil || !m.Stratified() {
		return nil
	}
	strata := s.Strata()
	need := m.RunBytes(publiclog.ContextDim(s), strata)
	if need <= memory/2 {
		return nil
	}
	return fmt.Errorf("%w: experiment %s has %s strata (policy.by: %s) in %s, and the states of the policy in these take about %d MiB, and half of the %d MiB allowed may be used; raise --max-memory, or check that policy.by names the column of strata, and not one that differs from row to row",
		publiclog.ErrMemory, schemas.Named(s.ID()), schemas.Grouped(strata), pl.doc.Protocol.Strata(), schemas.Counted(s.Rows(), "row"), need>>20, memory>>20)
}

// spare is what a second run of the policy may take, which makes a replay faster, of what an
// experiment may use: so little that it never is what does not fit.
func spare(memory int64) int64 {
	const share = 8
	return memory / share
}

// waiting is how many outcomes may wait for those before them: enough that one long
// experiment does not leave the other jobs idle, in an eighth of the limit.
func waiting(arms, jobs int, limit int64) int {
	const most, share = 32, 8
	return max(1, int(min(int64(jobs*most), limit/share/int64(armRecord*max(1, arms)))))
}
