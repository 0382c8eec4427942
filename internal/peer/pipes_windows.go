package peer

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"time"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"

	"ploke-lsp/internal/disk"
)

const (
	// userState is where the state folder is in a home folder if no variable names another.
	userState = `AppData\Local\ploke-lsp`
	// maxPath is the length of the longest path of a file.
	maxPath = 32_000
	// pipesFolder is where Windows has the pipes of this machine, of all users.
	pipesFolder = `\\.\pipe\`
	// pipePrefix begins the name of a pipe. pipeBytes random bytes follow, in hexadecimal digits.
	pipePrefix = "ploke-lsp-"
	pipeBytes  = 16
	// pipeBuffer is how many bytes one end can write before the other one reads them.
	pipeBuffer = 64 << 10
	// dialTimeout is how long go-winio tries to connect, which it does each 10 ms.
	dialTimeout = 10 * time.Millisecond
)

// currentUser returns the security identifier of the user whom this process runs as, with or without the rights of an
// administrator.
func currentUser() (string, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return "", fmt.Errorf("asking who the user is: %w", err)
	}
	return user.User.Sid.String(), nil
}

// lastPlace is no place: all disks have files with names of pipes.
func lastPlace() string { return "" }

// isOwn and isPrivate are true: files have no permission bits, and who owns them says little. The access control list
// of a folder comes from the state folder. Who can write there can replace the databases, too, but can't lead a process
// to a pipe of another user.
func isOwn(fs.FileInfo) bool     { return true }
func isPrivate(fs.FileInfo) bool { return true }

// isAddress reports whether a file may be an address: a file with the name of a pipe.
func isAddress(file fs.DirEntry) bool { return file.Type().IsRegular() }

// listenAt listens on a pipe that this process makes, and then writes its name into the file at a path. Other users
// can't connect to the pipe, nor listen on it, and no other machine reaches it: go-winio fails if there is a pipe of
// the name, and always rejects remote clients.
func listenAt(path, user string) (net.Listener, error) {
	var random [pipeBytes]byte
	rand.Read(random[:])
	name := pipePrefix + hex.EncodeToString(random[:])
	l, err := winio.ListenPipe(pipesFolder+name, &winio.PipeConfig{
		SecurityDescriptor: onlyFor(user), InputBufferSize: pipeBuffer, OutputBufferSize: pipeBuffer})
	if err != nil {
		return nil, err
	}
	blockFirst(pipesFolder + name)
	err = os.WriteFile(path+newSuffix, []byte(name), 0o600)
	if err == nil {
		err = disk.Rename(path+newSuffix, path)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close(), os.RemoveAll(path+newSuffix))
	}
	return l, nil
}

// blockFirst connects to the handle by which go-winio keeps the name of a pipe, and which it never serves. Windows lets
// nobody connect to that, but Wine lets the first one, who would wait in vain.
func blockFirst(pipe string) {
	name, err := windows.UTF16PtrFromString(pipe)
	if err != nil {
		return
	}
	if first, err := windows.CreateFile(name, windows.GENERIC_READ, 0, nil, windows.OPEN_EXISTING,
		windows.SECURITY_SQOS_PRESENT|windows.SECURITY_ANONYMOUS, 0); err == nil {
		windows.CloseHandle(first)
	}
}

// onlyFor returns the security descriptor of what belongs to a user, and what nobody else may use. It names the owner,
// since an administrator's process makes things that belong to all administrators.
func onlyFor(user string) string { return fmt.Sprintf("O:%[1]sD:P(A;;GA;;;%[1]s)", user) }

// dialAt connects to the process that has written the address. The error is errNobody if that does not listen any more,
// and errBusy while it lets another one in.
func dialAt(path string) (net.Conn, error) {
	pipe, err := pipeOf(path)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	conn, err := winio.DialPipeContext(ctx, pipe) // anonymously: the process can't act in the user's name
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("%w: %w", errNobody, err)
	case errors.Is(err, context.DeadlineExceeded):
		err = errBusy
	}
	return conn, err
}

// pipeOf returns the path of the pipe whose name is in the file at a path. Whatever the file holds, the pipe is one of
// this machine, and of this program by its name.
func pipeOf(path string) (string, error) {
	name, err := disk.ReadRegular(path, int64(len(pipePrefix)+2*pipeBytes))
	if err != nil {
		return "", err
	}
	digits, ok := strings.CutPrefix(string(name), pipePrefix)
	if random, err := hex.DecodeString(digits); !ok || err != nil || len(random) != pipeBytes {
		return "", fmt.Errorf("%s does not hold the name of a pipe", path)
	}
	return pipesFolder + string(name), nil
}

// checkServer returns the id of the process that was dialed. It fails unless the pipe belongs to the user: only the
// user's processes can make one that does, and listen on it.
func checkServer(conn net.Conn, user string) (pid int, err error) {
	pipe := windows.Handle(conn.(interface{ Fd() uintptr }).Fd())
	security, err := windows.GetSecurityInfo(pipe, windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return 0, fmt.Errorf("asking whose pipe it is: %w", err)
	}
	owner, _, err := security.Owner()
	if err != nil {
		return 0, fmt.Errorf("asking whose pipe it is: %w", err)
	}
	if owner.String() != user {
		return 0, foreign(owner.String())
	}
	var id uint32
	if err := windows.GetNamedPipeServerProcessId(pipe, &id); err != nil {
		return 0, fmt.Errorf("asking which process is at the other end: %w", err)
	}
	return int(id), nil
}

// checkClient does nothing: the access control list of the pipe has let in no other user.
func checkClient(net.Conn, string) error { return nil }
