package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"ploke-lsp/internal/syntax"
)

const (
	// realFile is the size in bytes up to which a file counts as written by people.
	realFile = 256 << 10
	// enoughCode is how many bytes of a language are parsed, and leastCode from how many on they stand for it.
	enoughCode = 4 << 20
	leastCode  = 256 << 10
)

// languages measures the parser, and the cold start of a small repository, for each language.
func (b *bench) languages(ctx context.Context, t *tree) error {
	roots, err := b.codeRoots(ctx, t)
	if err != nil {
		return err
	}
	samples, err := goList(ctx, "-m", "-f", "{{.Dir}}", "ploke-lsp")
	if err != nil {
		return err
	}
	found, _, err := runWorker[map[string][]codeFile](ctx, "gather", gatherRequest{roots, b.sampling.smallFiles})
	if err != nil {
		return err
	}
	rates, _, err := runWorker[map[string]parseRate](ctx, "rates",
		ratesRequest{found, filepath.Join(samples, "internal", "syntax", "testdata"), b.sampling.parseFor})
	if err != nil {
		return err
	}
	for _, language := range slices.Sorted(maps.Keys(rates)) {
		r := rates[language]
		name := "parse, processor, a MB"
		if r.Samples {
			name = "parse of the tests' samples, processor, a MB"
		}
		perMB := figure{Tree: language, Name: name, Value: inMillis(r.CPU) / inMB(r.Bytes), Unit: "ms"}
		b.table.add(perMB.note("%.1f MB/s, %s", inMB(r.Bytes)/r.CPU.Seconds(), r.Of))
	}
	for _, language := range slices.Sorted(maps.Keys(found)) {
		if len(found[language]) < b.sampling.repositoryFiles {
			continue
		}
		if err := b.smallRepository(ctx, language, found[language]); err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
	}
	return nil
}

// codeRoots returns the folders in which code is looked for.
func (b *bench) codeRoots(ctx context.Context, t *tree) ([]string, error) {
	if b.quick {
		return []string{t.dir, b.other}, nil
	}
	modules, err := goEnv(ctx, "GOMODCACHE")
	return []string{goroot(), modules, "/usr/include", "/usr/lib", "/usr/share"}, err
}

// goEnv returns a variable of the Go toolchain.
func goEnv(ctx context.Context, name string) (string, error) { return goTool(ctx, "env", name) }

// goList returns what go list says.
func goList(ctx context.Context, args ...string) (string, error) {
	return goTool(ctx, append([]string{"list"}, args...)...)
}

func goTool(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w: %s", cmd, err, strings.TrimSpace(string(failed.Stderr)))
	}
	return strings.TrimSpace(string(out)), err
}

// codeFile is a file below a root.
type codeFile struct{ Root, Path string }

type gatherRequest struct {
	Roots []string
	Files int // of a language
}

// gather returns the first files of each language in the roots.
func gather(ctx context.Context, r gatherRequest) (map[string][]codeFile, error) {
	found := map[string][]codeFile{}
	for _, root := range r.Roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil // a folder that can't be read has no code for us
			}
			if language := syntax.Detect(path, nil); language == "" || len(found[language]) >= r.Files {
				return ctx.Err()
			}
			if info, err := d.Info(); err != nil || info.Size() == 0 || info.Size() > realFile {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return nil
			}
			if language := syntax.Detect(path, text); len(found[language]) < r.Files { // a C header may be C++
				found[language] = append(found[language], codeFile{root, path})
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return found, nil
}

type ratesRequest struct {
	Files   map[string][]codeFile
	Samples string        // folder of the samples for languages without enough code
	For     time.Duration // for which each language is parsed, at least
}

// parseRate is what the parser took for the code of a language.
type parseRate struct {
	CPU   time.Duration
	Bytes int64
	Of    string // what was parsed

	Samples bool // the samples of the tests, for lack of real code
}

// timeParsers parses the code of each language on one core, until enough time has passed.
func timeParsers(ctx context.Context, r ratesRequest) (map[string]parseRate, error) {
	texts, err := sampleTexts(r.Samples)
	if err != nil {
		return nil, err
	}
	rates := map[string]parseRate{}
	for language, samples := range texts {
		code, of := samples, fmt.Sprintf("samples of %.1f KB", float64(sizeOf(samples))/1e3)
		real, err := readFiles(r.Files[language])
		if err != nil {
			return nil, err
		}
		enough := sizeOf(real) >= leastCode
		if enough {
			code, of = real, fmt.Sprintf("%d files of %.1f MB", len(real), inMB(sizeOf(real)))
		}
		rate := parseRate{Of: of, Samples: !enough}
		for began := ownCPUTime(); rate.CPU < r.For; rate.CPU = ownCPUTime() - began {
			for _, text := range code {
				if err := syntax.ParseOnly(language, text); err != nil {
					return nil, fmt.Errorf("%s: %w", language, err)
				}
				rate.Bytes += int64(len(text))
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		rates[language] = rate
	}
	return rates, nil
}

func sizeOf(texts [][]byte) (size int64) {
	for _, text := range texts {
		size += int64(len(text))
	}
	return size
}

// readFiles reads the files, up to enough code.
func readFiles(files []codeFile) (texts [][]byte, err error) {
	size := 0
	for _, f := range files {
		if size >= enoughCode {
			break
		}
		text, err := os.ReadFile(f.Path)
		if err != nil {
			return nil, err
		}
		texts, size = append(texts, text), size+len(text)
	}
	return texts, nil
}

// sampleTexts returns the samples of all languages in a folder of txtar archives, of which each begins with one.
func sampleTexts(dir string) (map[string][][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		return nil, errors.Join(err, fmt.Errorf("there are no samples in %s", dir))
	}
	texts := map[string][][]byte{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return nil, err
		}
		sample := archive.Files[0]
		language := syntax.Detect(sample.Name, sample.Data)
		texts[language] = append(texts[language], sample.Data)
	}
	return texts, nil
}

// smallRepository measures the cold start on files of one language, in the folders in which they were found.
func (b *bench) smallRepository(ctx context.Context, language string, files []codeFile) error {
	dir, err := os.MkdirTemp(b.temp, "repository-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, f := range files {
		rel, err := filepath.Rel(f.Root, f.Path)
		if err != nil {
			return err
		}
		if err := link(f.Path, filepath.Join(dir, rel)); err != nil {
			return err
		}
	}
	t, err := b.survey(ctx, language, dir, nil)
	if err != nil {
		return err
	}
	defer os.RemoveAll(t.state)
	return b.coldStart(ctx, t, language, b.sampling.rounds)
}
