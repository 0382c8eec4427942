package main

import (
	"fmt"
	"os/exec"
	"time"

	"ploke-lsp/project"
)

// oldIndex is the age from which an index is said to be old, and is brought up to date afterwards. An index
// that many commands use in a row is scanned once in this time.
const oldIndex = time.Minute

// scanLater says how old the index is that a command has used, if it is old, and starts a process that
// brings it up to date for the next command. No process waits for it.
func (c *common) scanLater(env environment, f *project.Folder, scanned time.Time) {
	age := time.Since(scanned)
	if age < oldIndex {
		return
	}
	fmt.Fprintf(env.stderr,
		"ploke-lsp: the index is %s old, and newer files are not found; --fresh looks at the disk first\n", inWords(age))
	if f.ClaimScan(oldIndex) {
		if err := c.startScan(env.program, f.Workspace.Roots()[0]); err != nil {
			fmt.Fprintf(env.stderr, "ploke-lsp: the index could not be brought up to date for the next search: %v\n", err)
		}
	}
}

// startScan starts a process of this program that scans a folder.
func (c *common) startScan(program, root string) error {
	program, err := exec.LookPath(program)
	if err != nil {
		return err
	}
	args := []string{"index", "--workspace", root, "--json"}
	if c.stateDir != "" {
		args = append(args, "--state-dir", c.stateDir)
	}
	if c.config != "" {
		args = append(args, "--config", c.config)
	}
	scan := exec.Command(program, args...) // without streams, so that no process waits for their end
	detach(scan)
	if err := scan.Start(); err != nil {
		return err
	}
	return scan.Process.Release()
}

// inWords rounds a duration for people.
func inWords(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return "a minute"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}
