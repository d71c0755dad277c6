import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/**
 * Writes the files of parquet-mr: parquet-mr.parquet with the schema that Spark keeps, parquet-mr-v2.parquet,
 * and ../honest/parquet-mr-padded.parquet with row groups padded to blocks, bloom filters and page indexes.
 *
 * java -cp 'SITE-PACKAGES/pyspark/jars/*' Bits.java    with pyspark 4.3.0, which has parquet-mr 1.17.0
 */
public class Bits {
  static final int ROWS = 24;
  static final MessageType SCHEMA = MessageTypeParser.parseMessageType(
      "message log { required int64 round; required int64 ts (TIMESTAMP(MICROS,true)); optional int64 clock (TIMESTAMP(NANOS,false));"
      + " optional binary arm (STRING); required binary user (STRING); optional double reward; optional int32 price (DECIMAL(9,2));"
      + " optional boolean clicked; required int32 small (INTEGER(16,false));"
      + " optional group features (LIST) { repeated group list { optional double element; } } }");
  static final String SPARK = "{\"type\":\"struct\",\"fields\":["
      + "{\"name\":\"round\",\"type\":\"long\",\"nullable\":false,\"metadata\":{}},"
      + "{\"name\":\"ts\",\"type\":\"timestamp\",\"nullable\":false,\"metadata\":{}},"
      + "{\"name\":\"arm\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}},"
      + "{\"name\":\"user\",\"type\":\"string\",\"nullable\":false,\"metadata\":{}},"
      + "{\"name\":\"reward\",\"type\":\"double\",\"nullable\":true,\"metadata\":{}},"
      + "{\"name\":\"price\",\"type\":\"decimal(9,2)\",\"nullable\":true,\"metadata\":{}},"
      + "{\"name\":\"clicked\",\"type\":\"boolean\",\"nullable\":true,\"metadata\":{}},"
      + "{\"name\":\"features\",\"type\":{\"type\":\"array\",\"elementType\":\"double\",\"containsNull\":true},\"nullable\":true,\"metadata\":{}}]}";

  /** A file of a file system that has blocks, to which row groups are aligned. */
  record Blocks(OutputFile file, long size) implements OutputFile {
    public PositionOutputStream create(long hint) throws java.io.IOException { return file.create(hint); }
    public PositionOutputStream createOrOverwrite(long hint) throws java.io.IOException { return file.createOrOverwrite(hint); }
    public boolean supportsBlockSize() { return true; }
    public long defaultBlockSize() { return size; }
    public String getPath() { return file.getPath(); }
  }

  static void write(String name, Map<String, String> extra, int padding, java.util.function.UnaryOperator<ExampleParquetWriter.Builder> with) throws Exception {
    OutputFile file = HadoopOutputFile.fromPath(new Path(name), new Configuration());
    ExampleParquetWriter.Builder builder = ExampleParquetWriter.builder(padding > 0 ? new Blocks(file, padding) : file)
        .withType(SCHEMA).withExtraMetaData(extra).withWriteMode(ParquetFileWriter.Mode.OVERWRITE);
    try (ParquetWriter<Group> out = with.apply(builder).build()) {
      for (int i = 0; i < ROWS; i++) out.write(row(i));
    }
    new java.io.File(new java.io.File(name).getParentFile(), "." + new java.io.File(name).getName() + ".crc").delete();
  }

  static Group row(int i) {
    Group g = new SimpleGroupFactory(SCHEMA).newGroup();
    long micros = 1767268800000000L + 60000000L * i + 1000L * i;
    g.append("round", 1000L + i).append("ts", micros).append("user", String.format("user-%03d", i * 7 % 100)).append("small", i % 5);
    if (i % 7 != 6) g.append("clock", 1000 * micros);
    if (i % 9 != 8) g.append("arm", new String[] {"red", "green", "blue"}[i % 3]);
    if (i % 5 != 4) g.append("reward", (double) (i % 2));
    if (i % 6 != 5) g.append("price", 100 + 13 * i);
    if (i % 4 != 3) g.append("clicked", i % 3 == 0);
    if (i % 8 != 7) {
      Group list = g.addGroup("features");
      for (int k = 0; k < i % 4; k++) {
        Group item = list.addGroup("list");
        if (k != 1) item.append("element", k == 0 ? i / 4.0 : 1.0);
      }
    }
    return g;
  }

  public static void main(String[] args) throws Exception {
    Map<String, String> spark = new HashMap<>(Map.of("org.apache.spark.version", "4.3.0", "org.apache.spark.sql.parquet.row.metadata", SPARK));
    write("parquet-mr.parquet", spark, 0, b -> b.withCompressionCodec(CompressionCodecName.SNAPPY));
    write("parquet-mr-v2.parquet", Map.of(), 0, b -> b.withWriterVersion(ParquetProperties.WriterVersion.PARQUET_2_0).withPageWriteChecksumEnabled(false));
    write("../honest/parquet-mr-padded.parquet", Map.of(), 4096, b -> b.withRowGroupSize(900L).withMinRowCountForPageSizeCheck(4).withMaxRowCountForPageSizeCheck(4)
        .withPageSize(64).withMaxPaddingSize(4096).withBloomFilterEnabled("user", true).withBloomFilterEnabled("arm", true).withBloomFilterNDV("user", 24L)
        .withCompressionCodec(CompressionCodecName.GZIP));
  }
}
