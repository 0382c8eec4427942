package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// peer is a program with a function that ours has, too.
type peer struct {
	name    string
	program string
	args    []string
	env     []string
	index   string // its output file or folder; "" for none
	exits   int    // its exit status after a run in which it did its work
	rounds  int
	search  bool // compared with a search rather than with indexing
}

// word is the search word. Most trees contain it.
const word = "error"

// peersFor returns the peers in the order in which they run: csearch needs the index of cindex, and
// zoekt that of zoekt-index. tree-sitter parses the Go files of the tree, whose paths are in a file, on one
// core, and exits with 1 since some have mistakes.
func (b *bench) peersFor(t *tree, goFiles string) []peer {
	at := func(name string) string { return filepath.Join(b.temp, name) }
	code := "CSEARCHINDEX=" + at("csearch.index")
	rounds := b.sampling.rounds
	all := []peer{
		{name: "ctags -R", program: "ctags", args: []string{"-R", "-f", at("tags"), t.dir}, index: at("tags"), rounds: rounds},
		{name: "cindex", program: "cindex", args: []string{t.dir}, env: []string{code}, index: at("csearch.index"), rounds: rounds},
		{name: "csearch", program: "csearch", args: []string{"-c", `\b` + word + `\b`}, env: []string{code}, rounds: rounds, search: true},
		{name: "zoekt-index", program: "zoekt-index", args: []string{"-index", at("zoekt"), t.dir}, index: at("zoekt"), rounds: rounds},
		{name: "zoekt", program: "zoekt", args: []string{"-index_dir", at("zoekt"), `content:\b` + word + `\b`}, rounds: rounds, search: true},
		{name: "rg -w", program: "rg", args: []string{"-w", "-c", word, t.dir}, rounds: rounds, search: true},
	}
	if _, err := os.Stat(filepath.Join(t.dir, "go.mod")); err != nil {
		return all
	}
	all = append(all, peer{
		name: "tree-sitter parse", program: "tree-sitter", args: []string{"parse", "--quiet", "--paths", goFiles}, exits: 1, rounds: rounds,
	})
	for _, args := range [][]string{{"workspace_symbol", word}, {"stats"}} {
		cache := at("gopls-" + args[0])
		all = append(all, peer{
			name: "gopls " + args[0], program: "gopls", args: args, env: []string{"GOPLSCACHE=" + cache},
			index: cache, rounds: 1,
		})
	}
	return all
}

// compare runs the peers on the tree.
func (b *bench) compare(ctx context.Context, t *tree) error {
	if t.indexed.wall == 0 {
		if _, err := b.index(ctx, t); err != nil {
			return err
		}
	}
	ours, err := t.indexBytes()
	if err != nil {
		return err
	}
	var searches []usage
	for range b.sampling.rounds {
		took, err := measure(exec.CommandContext(ctx, b.bin, "search", "--json", "--workspace", t.dir, "--state-dir", t.state,
			word))
		if err != nil {
			return err
		}
		searches = append(searches, took)
	}
	goFiles := filepath.Join(b.temp, "go-files")
	if err := writeGoFiles(t, goFiles); err != nil {
		return err
	}
	for _, p := range b.peersFor(t, goFiles) {
		our := t.indexed
		if p.search {
			our = summarize(searches)
		}
		if err := b.compareWith(ctx, t, p, our, ours); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) compareWith(ctx context.Context, t *tree, p peer, our usage, ourIndex int64) error {
	program, err := b.find(p.program)
	if err != nil {
		fmt.Fprintf(b.log, "%s is skipped: %v\n", p.name, err)
		return nil
	}
	var runs []usage
	for range p.rounds {
		if p.index != "" {
			if err := os.RemoveAll(p.index); err != nil {
				return err
			}
		}
		cmd := exec.CommandContext(ctx, program, p.args...)
		cmd.Dir, cmd.Env = t.dir, append(os.Environ(), p.env...)
		took, err := measure(cmd)
		if exit := (*exec.ExitError)(nil); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == p.exits) {
			return err
		}
		runs = append(runs, took)
	}
	their, what := summarize(runs), "cold index"
	if p.search {
		what = "search as a command"
	}
	b.table.add(
		unitFor(p, t.name, what+", wall", our.wall).vs(p.name, unitFor(p, "", "", their.wall).Value),
		unitFor(p, t.name, what+", processor", our.cpu).vs(p.name, unitFor(p, "", "", their.cpu).Value),
		megabytes(t.name, what+", peak memory", our.peak).vs(p.name, inMB(their.peak)),
	)
	if p.index == "" {
		return nil
	}
	bytes, err := sizeOnDisk(p.index)
	b.table.add(megabytes(t.name, "index on disk", ourIndex).vs(p.name, inMB(bytes)))
	return err
}

// writeGoFiles writes the paths of a tree's Go files to a file, one on each line.
func writeGoFiles(t *tree, name string) error {
	files, err := readList(t.list)
	if err != nil {
		return err
	}
	var paths strings.Builder
	for _, f := range files {
		if f.language == "go" {
			paths.WriteString(f.path + "\n")
		}
	}
	return os.WriteFile(name, []byte(paths.String()), 0o600)
}

// unitFor returns seconds for indexing and milliseconds for a search.
func unitFor(p peer, tree, name string, d time.Duration) figure {
	if p.search {
		return millis(tree, name, d)
	}
	return seconds(tree, name, d)
}

// find returns the path of a peer: in the folder of peers, else in $PATH.
func (b *bench) find(program string) (string, error) {
	installed := filepath.Join(b.peers, program)
	if _, err := os.Stat(installed); err == nil {
		return installed, nil
	}
	path, err := exec.LookPath(program)
	if errors.Is(err, exec.ErrNotFound) {
		err = fmt.Errorf("%s is not installed", program)
	}
	return path, err
}
