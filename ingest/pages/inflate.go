package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// inflater decompresses pages, each into a buffer of the size that the page
// claims. What does not fit, or does not fill it, is an error: a page can make
// no more memory than it was booked for.
type inflater struct {
	zstd   *zstd.Decoder
	gzip   *gzip.Reader
	brotli *brotli.Reader
	src    bytes.Reader
}

// errSize is returned when a page does not inflate to the size that it claims.
var errSize = errors.New("the page does not inflate to the size that it claims")

// knownCodec reports an error that names the codec when it is not read.
func knownCodec(c format.CompressionCodec) error {
	switch c {
	case format.Uncompressed, format.Snappy, format.Gzip, format.Brotli, format.Zstd, format.Lz4Raw:
		return nil
	default:
		return fmt.Errorf("compressed with %v, which is not read; write it with zstd or snappy", c)
	}
}

// inflate fills dst with what src decompresses to.
func (f *inflater) inflate(codec format.CompressionCodec, dst, src []byte) error {
	if len(dst) == 0 && len(src) == 0 {
		return nil
	}
	switch codec {
	case format.Snappy:
		return inflateSnappy(dst, src)
	case format.Zstd:
		return f.inflateZstd(dst, src)
	case format.Lz4Raw:
		n, err := lz4.UncompressBlock(src, dst)
		return exactly(n, len(dst), err)
	case format.Gzip:
		return f.inflateGzip(dst, src)
	case format.Brotli:
		f.src.Reset(src)
		if f.brotli == nil {
			f.brotli = brotli.NewReader(&f.src)
		} else if err := f.brotli.Reset(&f.src); err != nil {
			return err
		}
		return readExactly(f.brotli, dst)
	default:
		return exactly(copy(dst, src), len(dst), nil)
	}
}

func inflateSnappy(dst, src []byte) error {
	if n, err := snappy.DecodedLen(src); err != nil || n != len(dst) {
		return exactly(n, len(dst), err)
	}
	_, err := snappy.Decode(dst, src)
	return err
}

func (f *inflater) inflateZstd(dst, src []byte) error {
	if f.zstd == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return err
		}
		f.zstd = d
	}
	out, err := f.zstd.DecodeAll(src, dst[:0:len(dst)])
	return exactly(len(out), len(dst), err)
}

func (f *inflater) inflateGzip(dst, src []byte) error {
	f.src.Reset(src)
	if f.gzip == nil {
		r, err := gzip.NewReader(&f.src)
		if err != nil {
			return err
		}
		f.gzip = r
	} else if err := f.gzip.Reset(&f.src); err != nil {
		return err
	}
	return readExactly(f.gzip, dst)
}

// readExactly fills dst from r and wants r to end there.
func readExactly(r io.Reader, dst []byte) error {
	if _, err := io.ReadFull(r, dst); err != nil {
		return fmt.Errorf("%w: %w", errSize, err)
	}
	var more [1]byte
	switch _, err := io.ReadFull(r, more[:]); {
	case err == nil:
		return errSize
	case !errors.Is(err, io.EOF):
		return err
	}
	return nil
}

func exactly(got, want int, err error) error {
	if err != nil {
		return fmt.Errorf("%w: %w", errSize, err)
	}
	if got != want {
		return errSize
	}
	return nil
}

// close frees what the codecs hold.
func (f *inflater) close() {
	if f.zstd != nil {
		f.zstd.Close()
	}
	*f = inflater{}
}
