package trial

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// maxShared is how many bytes are shared at a time: less than 4 GiB, and a multiple of each size of a cluster.
const maxShared = 1 << 30

// shareBlocks makes a new file of a file that is open: both share their blocks until one is written. It fails where
// the disk can't (ReFS can, NTFS can't), and then makes none.
func shareBlocks(from *os.File, own *os.Root, p string) error {
	info, err := from.Stat()
	if err != nil {
		return err
	}
	cluster, err := clusterSize(from)
	if err != nil {
		return err
	}
	to, err := own.OpenFile(p, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = to.Truncate(info.Size()) // blocks are shared within the length that a file has
	for at := int64(0); at < info.Size() && err == nil; at += maxShared {
		n := min(info.Size()-at, maxShared)
		err = control(to, windows.FSCTL_DUPLICATE_EXTENTS_TO_FILE, &extents{
			from: windows.Handle(from.Fd()), fromOffset: at, toOffset: at, bytes: (n + cluster - 1) / cluster * cluster,
		}, (*struct{})(nil))
	}
	if err = errors.Join(err, to.Close()); err != nil {
		err = errors.Join(err, own.Remove(p))
	}
	return err
}

// extents are DUPLICATE_EXTENTS_DATA of the Windows API. They begin and end where clusters do, or beyond the file's
// end.
type extents struct {
	from                        windows.Handle
	fromOffset, toOffset, bytes int64
}

// clusterSize returns how many bytes a cluster of a file's disk has. It fails on a disk that has no blocks to share.
func clusterSize(f *os.File) (int64, error) {
	var info struct { // FSCTL_GET_INTEGRITY_INFORMATION_BUFFER
		_, _               uint16
		_, _, clusterBytes uint32
	}
	err := control(f, windows.FSCTL_GET_INTEGRITY_INFORMATION, (*struct{})(nil), &info)
	if err == nil && info.clusterBytes == 0 {
		err = errors.ErrUnsupported
	}
	return int64(info.clusterBytes), err
}

// control has a file's disk do something with the file.
func control[In, Out any](f *os.File, code uint32, in *In, out *Out) error {
	var inBytes, outBytes, returned uint32
	if in != nil {
		inBytes = uint32(unsafe.Sizeof(*in))
	}
	if out != nil {
		outBytes = uint32(unsafe.Sizeof(*out))
	}
	return windows.DeviceIoControl(windows.Handle(f.Fd()), code, (*byte)(unsafe.Pointer(in)), inBytes,
		(*byte)(unsafe.Pointer(out)), outBytes, &returned, nil)
}
