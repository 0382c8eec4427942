package main

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A release is what the files of a release are made from.
type release struct {
	source    string // a clean clone of the repository
	out       string // the folder of the files
	publisher publisher
	stamp     stamp
}

// A stamp says what a program was built from, as Go has stored it in the program.
type stamp struct {
	tag    string // such as v0.1.0
	commit string
	date   time.Time // of the commit
}

// version returns the version without the v of the tag.
func (s stamp) version() string { return strings.TrimPrefix(s.tag, "v") }

// clone copies what is committed at HEAD to a new folder: what is only in the work tree must not
// get into a release, and Go does not store a version when it builds in a linked work tree.
func clone(repository, folder string) error {
	if err := run(repository, nil, "git", "clone", "--quiet", "--no-hardlinks", repository, folder); err != nil {
		return err
	}
	head, err := output(repository, "git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	return run(folder, nil, "git", "checkout", "--quiet", "--detach", head)
}

// binary returns where the program of a platform is.
func (r *release) binary(p platform) string {
	return filepath.Join(r.out, "bin", p.String(), p.program())
}

// build builds the program of a platform. The paths of this machine and debugging tables
// are left out.
func (r *release) build(p platform) error {
	environment := []string{
		"GOOS=" + p.os, "GOARCH=" + p.arch, "CGO_ENABLED=1", "CC=" + p.compiler(), "CGO_CFLAGS=", "GOFLAGS=", "GOWORK=off",
	}
	if err := run(r.source, environment, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", r.binary(p),
		"./cmd/ploke-lsp"); err != nil {
		return err
	}
	if p.os == "linux" {
		return checkGlibc(r.binary(p))
	}
	return nil
}

// readStamp reads what the program at a path was built from.
func readStamp(path string) (stamp, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return stamp{}, err
	}
	s := stamp{tag: info.Main.Version}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			s.commit = setting.Value
		case "vcs.time":
			if s.date, err = time.Parse(time.RFC3339, setting.Value); err != nil {
				return stamp{}, err
			}
		}
	}
	if s.commit == "" || strings.HasSuffix(s.tag, "+dirty") {
		return stamp{}, fmt.Errorf("%s was not built from a clean clone: its version is %q", path, s.tag)
	}
	return s, nil
}

// run runs a command in a folder, with variables added to the environment.
func run(folder string, environment []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), environment...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

// output returns what a command prints, without the end of the last line.
func output(folder, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
	}
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimRight(string(out), "\n"), nil
}
