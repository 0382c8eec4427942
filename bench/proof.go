package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ploke-lsp/internal/process"
	"ploke-lsp/internal/trial"
	"ploke-lsp/project/trials"
)

const (
	// trialTarget is how many milliseconds it may take to make a trial of many files.
	trialTarget = 100.0
	// commandTarget is how many milliseconds a command in a trial may take longer than by itself.
	commandTarget = 60.0
	// compiledPackages is how many packages a compile step builds, of which one has changed.
	compiledPackages = 50
)

// proof measures what it costs to run commands on what is proposed.
func (b *bench) proof(ctx context.Context, _ *tree) error {
	small, err := b.generate(ctx, compiledPackages)
	if err != nil {
		return err
	}
	many, err := b.generate(ctx, b.sampling.manyFiles)
	if err != nil {
		return err
	}
	defer os.RemoveAll(many.dir)
	all := trials.New(filepath.Join(b.temp, "trials"), "bench", func(context.Context, string) bool { return true })
	err = errors.Join(b.nothing(ctx, all, small, false), b.nothing(ctx, all, many, true), b.compile(ctx, all))
	return errors.Join(err, all.Close())
}

// nothing runs a command that does nothing, by itself, in new trials and again in these; and finds out whether the
// folder has changed, which each command does at its end. That takes its time for each file, so it can be left out of
// the times of the commands.
func (b *bench) nothing(ctx context.Context, all *trials.Trials, t *tree, apart bool) error {
	var bare, first, again, moved []time.Duration
	skip, each, less := func(string) bool { return apart }, func(string) bool { return false }, "less the command"
	if apart {
		less += " and whether the folder has changed"
	}
	for i := range b.sampling.startups {
		began := time.Now()
		if err := exec.CommandContext(ctx, "true").Run(); err != nil {
			return err
		}
		bare = append(bare, time.Since(began))
		for _, into := range []*[]time.Duration{&first, &again} {
			took, err := inTrial(ctx, all, trials.Command{
				Turn: fmt.Sprint(t.name, i), Folder: t.dir, Args: []string{"true"}, Skip: skip,
			})
			if err != nil {
				return err
			}
			*into = append(*into, took)
		}
		began = time.Now()
		if _, err := trial.Moved(t.dir, began, each); err != nil {
			return err
		}
		moved = append(moved, time.Since(began))
	}
	alone := percentile(bare, 50)
	b.table.add(
		millis(t.name, "a trial is made, with a first command", percentile(first, 50)-alone).atMost(trialTarget),
		millis(t.name, "a command in a trial, "+less, percentile(again, 50)-alone).atMost(commandTarget),
		millis(t.name, "whether the folder has changed meanwhile", percentile(moved, 50)),
	)
	return nil
}

// inTrial returns how long a command in a trial takes, which must succeed.
func inTrial(ctx context.Context, all *trials.Trials, c trials.Command) (time.Duration, error) {
	var out strings.Builder
	c.Env, c.Output = process.Environment(c.Folder, []string{"GOROOT", "GOCACHE", "GOMODCACHE", "GOFLAGS"}), &out
	began := time.Now()
	result, err := all.Run(ctx, c)
	took := time.Since(began)
	if err == nil && result.Status != 0 {
		err = fmt.Errorf("%v ended with %d: %s", c.Args, result.Status, &out)
	}
	return took, err
}

// compile compiles a Go module in which one file has changed each time, by itself and in a trial.
func (b *bench) compile(ctx context.Context, all *trials.Trials) error {
	dir, err := os.MkdirTemp(b.temp, "module-")
	if err != nil {
		return err
	}
	err = os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.21\n"), 0o600)
	for i := range compiledPackages {
		folder := filepath.Join(dir, fmt.Sprint("p", i))
		err = errors.Join(err, os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, "p.go"), goFile(-1), 0o600))
	}
	if err != nil {
		return err
	}
	args, changed := []string{"go", "build", "./..."}, filepath.Join(dir, "p0", "p.go")
	var bare, tried []time.Duration
	for i := range b.sampling.startups + 1 {
		took, err := inTrial(ctx, all, trials.Command{Turn: "compile", Folder: dir, Args: args,
			Texts: []trial.Text{{Path: "p0/p.go", Data: goFile(2 * i)}}})
		if err != nil {
			return err
		}
		tried = append(tried, took)
		if err := os.WriteFile(changed, goFile(2*i+1), 0o600); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, io.Discard, io.Discard
		began := time.Now()
		if err := cmd.Run(); err != nil {
			return err
		}
		bare = append(bare, time.Since(began))
	}
	b.table.add(millis(fmt.Sprint(compiledPackages, " packages of Go"), "a compile step in a trial, one file has changed",
		percentile(tried[1:], 50)).vs("go build", inMillis(percentile(bare[1:], 50))))
	return nil
}

// goFile returns a file of Go with a number in it that no earlier run of this program had.
func goFile(n int) []byte {
	return fmt.Appendf(nil, "package p\n\nconst N = \"%d %d %d\"\n", os.Getpid(), time.Now().UnixNano(), n)
}
