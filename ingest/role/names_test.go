package role

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
		if got := strings.Join(Words(name), " "); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func TestVocabulary(t *testing.T) {
	for _, tc := range []struct {
		role Role
		name string
		want int
	}{
		{Reward, "clicked", NameWhole},
		{Reward, "is_clicked", NamePart},
		{Reward, "y", NameWhole},
		{Reward, "reward_ts", 0},
		{Reward, "noisy_rewards_sum", 0},
		{Reward, "log.outcome", NameWhole},
		{Action, "item_id", NameWhole},
		{Action, "chosenAction", NameWhole},
		{Action, "action_prob", 0},
		{Action, "arm_features", 0},
		{Propensity, "propensity_score", NameWhole},
		{Propensity, "pscore_a", NamePart},
		{Order, "event_time", NameWhole},
		{Order, "click_time", 0},
		{Experiment, "experiment_arm", 0},
		{Batch, "dt", NameWhole},
		{Context, "ünïcode", 0},
	} {
		if got := All().Of(tc.role).Match(tc.name); got != tc.want {
			t.Errorf("%v %s: %d, want %d", tc.role, tc.name, got, tc.want)
		}
	}
	for name, want := range map[string]bool{"user_id": true, "user": true, "visitorHash": true, "unit": true, "unit_id": true, "member_id": true, "unit_price": false, "user_feature_0": false, "id": false, "": false, "device type": false} {
		if IsUnitName(name) != want {
			t.Errorf("%q is a unit: %v", name, !want)
		}
	}
	for name, want := range map[string]bool{"request_id": true, "uuid": true, "idle": false, "": false, "id_type": false} {
		if IsKeyName(name) != want {
			t.Errorf("%q is a key: %v", name, !want)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "aB1", "ÄöÜ", "\xff", "a\u0000b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		for _, w := range Words(name) {
			if w == "" || strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) >= 0 {
				t.Errorf("%q: %q", name, w)
			}
		}
		if diff := cmp.Diff(Words(name), Words(name+"_")); diff != "" {
			t.Error(diff)
		}
	})
}
