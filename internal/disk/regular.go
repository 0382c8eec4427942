package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ErrNotRegular is the error of reading what is no file with a text, such as a folder, a device or a pipe.
var ErrNotRegular = errors.New("this is not a regular file")

// OpenToRead opens a file or a folder for reading. It follows links, and does not wait for the other end of a pipe.
func OpenToRead(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// OpenRegular is OpenToRead for a regular file, and an error for anything else: a device or a pipe may have no end. The
// caller closes the file.
func OpenRegular(path string) (*os.File, fs.FileInfo, error) {
	file, err := OpenToRead(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// ReadRegular reads a regular file, which must have at most limit bytes.
func ReadRegular(path string, limit int64) ([]byte, error) {
	file, _, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes", path, limit)
	}
	return data, err
}
