package ingest

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"user_id": "user id", "userId": "user id", "UserID": "user id", "ctx.user-id": "ctx user id", "user_feature_0": "user feature 0",
		"x1": "x 1", "1x": "1 x", "isClicked": "is clicked", "größeNeu": "größe neu", "": "", "__": "", "P(A)": "p a", "TS": "ts",
	} {
		if got := strings.Join(words(name), " "); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func TestVocabulary(t *testing.T) {
	for _, tc := range []struct {
		role role
		name string
		want int
	}{
		{roleReward, "clicked", nameWhole},
		{roleReward, "is_clicked", namePart},
		{roleReward, "y", nameWhole},
		{roleReward, "reward_ts", 0},
		{roleReward, "noisy_rewards_sum", 0},
		{roleReward, "log.outcome", nameWhole},
		{roleAction, "item_id", nameWhole},
		{roleAction, "chosenAction", nameWhole},
		{roleAction, "action_prob", 0},
		{roleAction, "arm_features", 0},
		{rolePropensity, "propensity_score", nameWhole},
		{rolePropensity, "pscore_a", namePart},
		{roleOrder, "event_time", nameWhole},
		{roleOrder, "click_time", 0},
		{roleExperiment, "experiment_arm", 0},
		{roleBatch, "dt", nameWhole},
		{roleContext, "ünïcode", 0},
	} {
		if got := vocabularyOf(tc.role).match(tc.name); got != tc.want {
			t.Errorf("%v %s: %d, want %d", tc.role, tc.name, got, tc.want)
		}
	}
	for name, want := range map[string]bool{"user_id": true, "user": true, "visitorHash": true, "unit": true, "unit_id": true, "member_id": true, "unit_price": false, "user_feature_0": false, "id": false, "": false, "device type": false} {
		if isUnitName(name) != want {
			t.Errorf("%q is a unit: %v", name, !want)
		}
	}
	for name, want := range map[string]bool{"request_id": true, "uuid": true, "idle": false, "": false, "id_type": false} {
		if isKeyName(name) != want {
			t.Errorf("%q is a key: %v", name, !want)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "aB1", "ÄöÜ", "\xff", "a\u0000b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		for _, w := range words(name) {
			if w == "" || strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) >= 0 {
				t.Errorf("%q: %q", name, w)
			}
		}
		if diff := cmp.Diff(words(name), words(name+"_")); diff != "" {
			t.Error(diff)
		}
	})
}
