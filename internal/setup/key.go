package setup

import (
	"errors"
	"os"
	"path/filepath"
)

// StoreKey writes a key into a file of a folder that only its owner may read, and returns the file's path.
func StoreKey(folder, provider, key string) (path string, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	file, err := os.CreateTemp(folder, "key-") // for its owner alone
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(key + "\n")
	err = errors.Join(err, file.Sync(), file.Close())
	path = filepath.Join(folder, provider)
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return path, nil
}
