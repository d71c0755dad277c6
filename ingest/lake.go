package ingest

import (
	"os"
	"path/filepath"
	"strings"
)

// lakes are the table formats whose Parquet files hold rows that were deleted
// or replaced, and how to write out the rows that were not.
func lake(dir string) (format, export string) {
	switch {
	case isDir(filepath.Join(dir, "_delta_log")):
		return "Delta Lake", "export it, for instance with DuckDB: COPY (SELECT * FROM delta_scan('" + filepath.Base(dir) + "')) TO 'log.parquet'"
	case isDir(filepath.Join(dir, ".hoodie")):
		return "Hudi", "export it, for instance with Spark: spark.read.format('hudi').load('" + filepath.Base(dir) + "').write.parquet('log')"
	case hasIcebergMetadata(dir):
		return "Iceberg", "export it, for instance with DuckDB: COPY (SELECT * FROM iceberg_scan('" + filepath.Base(dir) + "')) TO 'log.parquet'"
	}
	return "", ""
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// hasIcebergMetadata looks for metadata/*.json, where Iceberg keeps a table's
// versions.
func hasIcebergMetadata(dir string) bool {
	entries, err := os.ReadDir(filepath.Join(dir, "metadata"))
	if err != nil {
		return false
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") && !e.IsDir() {
			return true
		}
	}
	return false
}

// tableRoot climbs from a directory of data files to where a table format
// would keep its log: above hive partitions and Iceberg's data directory.
func tableRoot(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for strings.Contains(filepath.Base(abs), "=") {
		abs = filepath.Dir(abs)
	}
	if filepath.Base(abs) == "data" && hasIcebergMetadata(filepath.Dir(abs)) {
		abs = filepath.Dir(abs)
	}
	return abs
}

// isTable reports, once for each, a directory that is a table.
func (d *discovery) isTable(dir string) bool {
	format, export := lake(dir)
	if format == "" {
		return false
	}
	if d.tables == nil {
		d.tables = map[string]bool{}
	}
	if !d.tables[dir] {
		d.tables[dir] = true
		d.fault(dir, RuleLake, "is a "+format+" table, whose Parquet files also hold rows that were deleted or replaced", export, nil)
	}
	return true
}
