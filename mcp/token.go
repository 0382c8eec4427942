package mcp

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// minToken is the length in bytes below which a token is refused: it could be guessed.
const minToken = 16

// ReadToken returns the token in a file. If there is no file, it is made with a new token, which
// only the person can read.
func ReadToken(path string) (string, error) {
	token, err := storedToken(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	token = rand.Text()
	if err := publish(path, token); errors.Is(err, fs.ErrExist) {
		return storedToken(path)
	} else if err != nil {
		return "", err
	}
	return token, nil
}

// publish puts a token into a file that does not exist, complete from the start. If another process
// has done so at the same moment, the error is [fs.ErrExist].
func publish(path, token string) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // only the person can read it
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(token + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}

func storedToken(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("others can read the token in %s; make it readable for you alone (chmod 600), or remove it "+
			"for a new one", path)
	}
	content, err := os.ReadFile(path)
	token := strings.TrimSpace(string(content))
	if err == nil && len(token) < minToken {
		err = fmt.Errorf("the token in %s has fewer than %d characters; remove the file for a new one", path, minToken)
	}
	return token, err
}
