package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

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
	zstd   *zstdPool
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
		return inflateLz4(dst, src)
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

// inflateLz4 gives the decoder room even where nothing is to come of it: it
// follows a nil pointer where there is none.
func inflateLz4(dst, src []byte) error {
	room := dst
	if len(dst) == 0 {
		room = make([]byte, 1)
	}
	n, err := lz4.UncompressBlock(src, room)
	return exactly(n, len(dst), err)
}

func (f *inflater) inflateZstd(dst, src []byte) error {
	d, err := f.zstd.get()
	if err != nil {
		return err
	}
	out, err := d.DecodeAll(src, dst[:0:len(dst)])
	return exactly(len(out), len(dst), err)
}

// zstdPool is the zstd decoder that the columns of a file share: as many pages
// at a time as there are processors.
type zstdPool struct {
	once    sync.Once
	decoder *zstd.Decoder
	err     error
}

func (p *zstdPool) get() (*zstd.Decoder, error) {
	p.once.Do(func() {
		p.decoder, p.err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true))
	})
	return p.decoder, p.err
}

func (p *zstdPool) close() {
	if p.decoder != nil {
		p.decoder.Close()
	}
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
