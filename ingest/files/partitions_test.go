package files

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPartitions(t *testing.T) {
	for path, want := range map[string][]Partition{
		"/r/x.parquet":                            nil,
		"/r/dt=2026-11-01/x.parquet":              {{Key: "dt", Value: "2026-11-01"}},
		"/r/a=1/b=2/x.parquet":                    {{Key: "a", Value: "1"}, {Key: "b", Value: "2"}},
		"/r/a=1/plain/b=2/x.parquet":              {{Key: "a", Value: "1"}, {Key: "b", Value: "2"}},
		"/r/land=S%C3%A3o%20Tom%C3%A9/x.parquet":  {{Key: "land", Value: "São Tomé"}},
		"/r/a%3Db=c%2Fd/x.parquet":                {{Key: "a=b", Value: "c/d"}},
		"/r/a=50%/x.parquet":                      {{Key: "a", Value: "50%"}},
		"/r/a=50%25%/x.parquet":                   {{Key: "a", Value: "50%%"}},
		"/r/a=a%zzb%20c/x.parquet":                {{Key: "a", Value: "a%zzb c"}},
		"/r/a=%2/x.parquet":                       {{Key: "a", Value: "%2"}},
		"/r/a=%%41%4/x.parquet":                   {{Key: "a", Value: "%A%4"}},
		"/r/a=%2541/x.parquet":                    {{Key: "a", Value: "%41"}},
		"/r/a=b+c/x.parquet":                      {{Key: "a", Value: "b+c"}},
		"/r/a=b=c/x.parquet":                      {{Key: "a", Value: "b=c"}},
		"/r/a=__HIVE_DEFAULT_PARTITION__/x":       {{Key: "a", Null: true}},
		"/r/a=/x.parquet":                         {{Key: "a"}},
		"/r/=a/x.parquet":                         nil,
		"/r/a=1.parquet":                          nil,
		"/other/above=1/plain/c=2/dt=3/x.parquet": {{Key: "c", Value: "2"}, {Key: "dt", Value: "3"}},
	} {
		root := "/r"
		if strings.HasPrefix(path, "/other") { // the root is a partition itself
			root = "/other/above=1/plain/c=2"
		}
		if diff := cmp.Diff(want, partitions(root, filepath.FromSlash(path))); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// Values that are written in two ways, or are not all numbers, stay text.
func TestHiveText(t *testing.T) {
	for name, tc := range map[string]struct {
		values []string
		typ    string
	}{
		"numbers":                 {[]string{"1", "-2", "10"}, "partition of whole numbers"},
		"padded numbers":          {[]string{"01", "02", "10"}, "partition of whole numbers"},
		"numbers and null":        {[]string{"1", "__HIVE_DEFAULT_PARTITION__"}, "partition of whole numbers"},
		"a number in two ways":    {[]string{"7", "07"}, "partition of text"},
		"numbers and text":        {[]string{"1", "x"}, "partition of text"},
		"numbers and nothing":     {[]string{"1", ""}, "partition of text"},
		"beyond 64 bits":          {[]string{"1", "9223372036854775808"}, "partition of text"},
		"null alone":              {[]string{"__HIVE_DEFAULT_PARTITION__"}, "partition of text"},
		"the largest and least":   {[]string{"9223372036854775807", "-9223372036854775808"}, "partition of whole numbers"},
		"numbers with a fraction": {[]string{"1.5", "2"}, "partition of text"},
	} {
		keys := PartitionKeys{}
		for _, v := range tc.values {
			keys.Add(partitions("/r", "/r/k="+v+"/x.parquet"))
		}
		if got := keys["k"].Column("k").Type; got != tc.typ {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func FuzzPartition(f *testing.F) {
	for _, s := range []string{"", "=", "a=b", "a=%", "a=%zz", "a=%00", "a=\xff", "%3D=="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		p, ok := partition(name)
		if ok && p.Key == "" || !ok && strings.Index(name, "=") > 0 {
			t.Errorf("%q: %+v, %v", name, p, ok)
		}
	})
}
