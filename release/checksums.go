package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// A sum is the checksum of a file of the release.
type sum struct{ name, sha256 string }

// checksums returns the checksums of all files in the folder of the release, by name, but of
// those that finish writes.
func (r *release) checksums() ([]sum, error) {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return nil, err
	}
	var sums []sum
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return nil, err
		}
		hash := sha256.Sum256(content)
		sums = append(sums, sum{e.Name(), hex.EncodeToString(hash[:])})
	}
	return sums, nil
}

// writeChecksums writes the file that "sha256sum --check" reads.
func (r *release) writeChecksums(sums []sum) error {
	var b bytes.Buffer
	for _, s := range sums {
		fmt.Fprintf(&b, "%s  %s\n", s.sha256, s.name)
	}
	return os.WriteFile(filepath.Join(r.out, r.name("SHA256SUMS")), b.Bytes(), 0o644)
}
