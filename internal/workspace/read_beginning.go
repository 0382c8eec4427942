package workspace

import (
	"context"
	"errors"
	"io"
	"math"
	"unicode/utf8"
)

// ReadBeginning is Read, but a file on disk that is larger than Read takes has the text at its
// beginning, of as many bytes as Read takes. size is the number of bytes of the whole.
func (w *Workspace) ReadBeginning(ctx context.Context, path string) (f *File, size int64, err error) {
	f, err = w.Read(ctx, path)
	var skipped *SkippedError
	if err == nil {
		return f, int64(len(f.Text)), nil
	}
	if !errors.As(err, &skipped) || skipped.Skip != TooLarge {
		return nil, 0, err
	}
	if path, err = w.resolveServed(path); err != nil {
		return nil, 0, err
	}
	file, info, err := openRegular(path, w.Rel(path), math.MaxInt64, w.openConfined)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, w.maxFileBytes.Load()&^1)) // UTF-16 has two bytes for each character
	if err != nil {
		return nil, 0, withPath(err, w.Rel(path))
	}
	f = &File{Path: path, ModTime: info.modified}
	f.Text, f.Encoding, f.Unclear = decode(path, withoutPartOfRune(data))
	f.Hash = Hash(f.Text)
	return f, info.size, nil
}

// withoutPartOfRune returns data without the beginning of a character of UTF-8 at its end.
func withoutPartOfRune(data []byte) []byte {
	for at := len(data) - 1; at >= max(0, len(data)-utf8.UTFMax); at-- {
		if utf8.RuneStart(data[at]) && !utf8.FullRune(data[at:]) {
			return data[:at]
		}
	}
	return data
}
