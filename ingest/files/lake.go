package files

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"banditaudit/ingest/fault"
)

// lake says which table format a directory holds, if any, with its article, and
// how to write out the rows of one snapshot: the Parquet files of such a table also
// hold rows that were deleted or replaced.
func lake(dir string) (format, export string) {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs // Spark takes no other path of a Delta table
	}
	name, quoted := strings.ReplaceAll(dir, "'", "''"), strings.ReplaceAll(dir, "`", "``")
	switch {
	case isDir(filepath.Join(dir, "_delta_log")):
		version := newestDelta(dir)
		return "a Delta Lake", "export it, for instance with DuckDB: COPY (SELECT * FROM delta_scan('" + name + "')) TO 'log.parquet'; " +
			"or with Spark: spark.sql(\"SELECT * FROM delta.`" + quoted + "` VERSION AS OF " + version + "\").write.parquet('log'), " +
			"which names the version, so that it can be exported again (DESCRIBE HISTORY lists them)"
	case isDir(filepath.Join(dir, ".hoodie")):
		return "a Hudi", "export it, for instance with Spark: spark.read.format('hudi').load('" + name + "').write.parquet('log')"
	case hasIcebergMetadata(dir):
		return "an Iceberg", "export it, for instance with DuckDB: COPY (SELECT * FROM iceberg_scan('" + name + "', snapshot_from_id => ID)) TO 'log.parquet'; " +
			"or with Spark: spark.sql(\"SELECT * FROM CATALOG.DB.TABLE VERSION AS OF ID\").write.parquet('log'). " +
			"ID is a snapshot_id that iceberg_snapshots('" + name + "') or the table's .snapshots lists; with it the same rows can be exported again"
	}
	return "", ""
}

// newestDelta is the number of the last commit that a Delta table has as JSON, N
// where there is none.
func newestDelta(dir string) string {
	newest := "N"
	entries, _ := os.ReadDir(filepath.Join(dir, "_delta_log"))
	for _, e := range entries {
		number, commit := strings.CutSuffix(e.Name(), ".json")
		if n, err := strconv.ParseUint(number, 10, 63); commit && err == nil {
			newest = strconv.FormatUint(n, 10)
		}
	}
	return newest
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// hasIcebergMetadata looks for metadata/*.metadata.json, where Iceberg keeps a
// table's versions, packed or not.
func hasIcebergMetadata(dir string) bool {
	entries, err := os.ReadDir(filepath.Join(dir, "metadata"))
	if err != nil {
		return false
	}
	for _, e := range entries {
		if strings.Contains(e.Name(), ".metadata.json") && !e.IsDir() {
			return true
		}
	}
	return false
}

// inTable reports whether a directory is a table or lies in one, at any depth:
// under hive partitions, Iceberg's data directory or the prefixes that stores
// of objects like.
func (d *discovery) inTable(dir string) bool {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return d.isTable(dir)
	}
	for {
		if d.isTable(abs) {
			return true
		}
		up := filepath.Dir(abs)
		if up == abs {
			return false
		}
		abs = up
	}
}

// isTable reports a directory that is a table; a fault, once for each.
func (d *discovery) isTable(dir string) bool {
	if known, ok := d.tables[dir]; ok {
		return known
	}
	if d.tables == nil {
		d.tables = map[string]bool{}
	}
	format, export := lake(dir)
	d.tables[dir] = format != ""
	if format != "" {
		d.fault(dir, fault.RuleLake, "is "+format+" table, whose Parquet files also hold rows that were deleted or replaced", export, nil)
	}
	return format != ""
}
