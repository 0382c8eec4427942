package main

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// startTarget is how many milliseconds the program may take from its start to its end if it only says its version.
	startTarget = 20.0
	// startRuns is how often it is started, for each of the sampling's startups.
	startRuns = 5
	// grammarModule is the module whose packages hold a grammar each.
	grammarModule = "github.com/smacker/go-tree-sitter/"
)

// binary measures the program: its size, what each grammar has of it, and how long it takes to start.
func (b *bench) binary(ctx context.Context, _ *tree) error {
	const name = "ploke-lsp"
	stripped, err := strippedSize(b.bin)
	if err != nil {
		return err
	}
	var starts []time.Duration
	for range startRuns * b.sampling.startups {
		took, err := measure(exec.CommandContext(ctx, b.bin, "--version"))
		if err != nil {
			return err
		}
		starts = append(starts, took.wall)
	}
	b.table.add(
		megabytes(name, "binary, without symbols", stripped),
		millis(name, "start of --version to its end", percentile(starts, 50)).atMost(startTarget).
			note("%d runs, %.1f ms the worst", len(starts), inMillis(slices.Max(starts))),
	)
	grammars, err := grammarSizes(ctx)
	if err != nil {
		return err
	}
	var sum int64
	for _, g := range grammars {
		sum += g.bytes
	}
	b.table.add(megabytes(name, "all grammars in the binary", sum).vs("the binary", inMB(stripped)).
		note("%d grammars", len(grammars)))
	for _, g := range grammars {
		b.table.add(megabytes(name, "grammar in the binary: "+g.name, g.bytes))
	}
	return nil
}

// strippedSize returns the size of a program in bytes without its symbols and what only debuggers read.
func strippedSize(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	f, err := elf.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	size := info.Size()
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 && s.Type != elf.SHT_NOBITS && s.Name != ".shstrtab" {
			size -= int64(s.FileSize)
		}
	}
	return size, nil
}

// grammarSize is what a grammar adds to the program.
type grammarSize struct {
	name  string
	bytes int64
}

// grammarSizes returns the grammars that are linked into the program, the largest first: the sizes of what is loaded of
// the objects that the Go toolchain has compiled them to.
func grammarSizes(ctx context.Context) (all []grammarSize, err error) {
	out, err := goList(ctx, "-deps", "-export", "-f", "{{.ImportPath}}\t{{.Export}}", "ploke-lsp/internal/syntax")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		path, archive, _ := strings.Cut(strings.TrimSpace(line), "\t")
		name, ok := strings.CutPrefix(path, grammarModule)
		if !ok {
			continue
		}
		size, err := loadedBytes(archive)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, grammarSize{name, size})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no package of %s is linked", grammarModule)
	}
	slices.SortFunc(all, func(a, b grammarSize) int { return int(b.bytes - a.bytes) })
	return all, nil
}

const (
	archiveMagic  = "!<arch>\n"
	archiveHeader = 60 // bytes of the header of a member; the size is in [48:58]
)

// loadedBytes returns the size of the sections that are loaded of the ELF objects in an archive.
func loadedBytes(path string) (sum int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	magic, header := make([]byte, len(archiveMagic)), make([]byte, archiveHeader)
	if _, err := f.ReadAt(magic, 0); err != nil || string(magic) != archiveMagic {
		return 0, errors.Join(err, fmt.Errorf("%s is not an archive", path))
	}
	for at := int64(len(archiveMagic)); ; {
		_, err := f.ReadAt(header, at)
		if errors.Is(err, io.EOF) {
			return sum, nil
		}
		if err != nil {
			return 0, err
		}
		size, err := strconv.ParseInt(strings.TrimSpace(string(header[48:58])), 10, 64)
		if err != nil {
			return 0, err
		}
		at += archiveHeader
		loaded, err := loadedOfObject(io.NewSectionReader(f, at, size))
		if err != nil {
			return 0, err
		}
		sum += loaded
		at += size + size%2
	}
}

// loadedOfObject returns the size of the sections that are loaded of an ELF object, 0 for another file.
func loadedOfObject(r io.ReaderAt) (sum int64, err error) {
	magic := make([]byte, len(elf.ELFMAG))
	if _, err := r.ReadAt(magic, 0); err != nil || string(magic) != elf.ELFMAG {
		return 0, nil
	}
	object, err := elf.NewFile(r)
	if err != nil {
		return 0, err
	}
	for _, s := range object.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 {
			sum += int64(s.Size)
		}
	}
	return sum, nil
}
