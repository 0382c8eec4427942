package main

import (
	"debug/elf"
	"fmt"
	"strconv"
	"strings"
)

// glibc is the oldest version of the C library with which the packages promise to work. It is the
// first that needs no libpthread next to it.
const glibc = "2.34"

// checkGlibc returns an error if a program needs a newer C library than the packages say.
func checkGlibc(path string) error {
	f, err := elf.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	if err != nil {
		return err
	}
	for _, s := range symbols {
		if version, ok := strings.CutPrefix(s.Version, "GLIBC_"); ok && newer(version, glibc) {
			return fmt.Errorf("%s needs glibc %s for %s, but the packages promise %s: build on an older system", path, version,
				s.Name, glibc)
		}
	}
	return nil
}

// newer tells whether version a is newer than b.
func newer(a, b string) bool {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		x, _ := strconv.Atoi(as[i]) // GLIBC_PRIVATE would be 0
		y, _ := strconv.Atoi(bs[i])
		if x != y {
			return x > y
		}
	}
	return len(as) > len(bs)
}
