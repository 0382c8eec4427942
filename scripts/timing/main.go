// Command timing measures the phases of "make test", and says where the time goes.
//
//	go run ./scripts/timing run DIR PHASE COMMAND...   run a command, and keep its times in DIR
//	go run ./scripts/timing table DIR                  print what is kept, and write DIR/times.json
//	go run ./scripts/timing forget DIR                 forget what is kept
//
// The output of the command passes through. That of "go test -json" becomes what "go test" prints, with the
// output of the tests that failed. In any other output, a line "== NAME" begins a test of that name.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

func main() {
	if err := dispatch(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "timing:", err)
		os.Exit(1)
	}
}

func dispatch(args []string) error {
	switch {
	case len(args) >= 4 && args[0] == "run":
		return run(args[1], args[2], args[3:])
	case len(args) == 2 && args[0] == "table":
		return table(args[1], os.Stdout)
	case len(args) == 2 && args[0] == "forget":
		return forget(args[1])
	}
	return fmt.Errorf("usage: timing run DIR PHASE COMMAND... | timing table DIR | timing forget DIR")
}

// run runs the command of a phase. Its error is that of the command.
func run(dir, name string, command []string) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	read := plainOutput
	if slices.Contains(command, "-json") {
		read = goOutput
	}
	measured := phase{Name: name, Began: begun}
	measured.Packages, measured.Tests, err = read(out, os.Stdout)
	if err != nil {
		io.Copy(io.Discard, out) // so that the command ends
	}
	ended := cmd.Wait()
	measured.Seconds = time.Since(begun).Seconds()
	measured.ProcessorSeconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if err == nil {
		err = measured.keep(dir)
	}
	if ended != nil {
		return fmt.Errorf("%s: %w", name, ended)
	}
	return err
}

// forget removes what earlier runs have kept.
func forget(dir string) error {
	kept, err := filepath.Glob(filepath.Join(dir, "*.json"))
	for _, path := range kept {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return err
}
