package schemas

import "testing"

// What tests of package resultsfile take from those of this one.

func Standard() *Catalogue { return standard() }

func WholeJSON(t *testing.T, name string) (value any, text []byte) { return exampleJSON(t, name) }

func WriteFiles(t *testing.T, files map[string]string) string { return writeFiles(t, files) }
