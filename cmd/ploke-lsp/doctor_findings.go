package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ploke-lsp/internal/setup"
	"ploke-lsp/internal/shell"
	"ploke-lsp/internal/store"
	"ploke-lsp/project"
)

// otherState is the command that chooses another state folder.
var otherState = shell.Set("PLOKE_STATE_DIR", shell.InHome("ploke-state"))

// unusableState says why a workspace can't be opened, and what to do about it. path is where its state.db is.
func unusableState(err error, workspace, path string) project.Finding {
	f := project.Finding{Level: project.Essential, What: "state", Text: err.Error()}
	quoted := shell.Quote(workspace)
	newer, waits := new(store.NewerError), new(store.UpgradeError)
	_, missing := os.Stat(workspace)
	restored := ""
	if kept := store.UpgradeCopy(path); kept != "" {
		restored = fmt.Sprintf("ploke-lsp restore --workspace %s %s", quoted, shell.Quote(kept))
	}
	switch {
	case missing != nil:
		f.What, f.Command = "index", "ploke-lsp doctor --workspace ."
	case errors.As(err, &newer):
		f.Command = cmp.Or(restored, otherState)
	case errors.As(err, &waits):
		f.Command = "ploke-lsp doctor --workspace " + quoted
	case store.Damaged(err):
		f.Command = cmp.Or(restored, shell.Move(path, path+".damaged"))
	default:
		f.What, f.Command = "index", project.IndexCommand(workspace)
	}
	return f
}

// programFinding says whether editors find the program.
func programFinding() project.Finding {
	f := project.Finding{Level: project.Fine, What: "program"}
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	path, err := exec.LookPath("ploke-lsp")
	if err != nil {
		f.Level, f.Text = project.Suspect, fmt.Sprintf("editors don't find ploke-lsp, because %s is not on the PATH",
			filepath.Dir(self))
		f.Command = shell.AddToPath(filepath.Dir(self))
		return f
	}
	f.Text = "editors start " + path
	return f
}

// editorFinding says which editors are here, and which of them have the configuration.
func editorFinding(env environment) project.Finding {
	f := project.Finding{Level: project.Fine, What: "editor"}
	var found []string
	ready := false
	for _, c := range setup.Clients() {
		if c.Installed(setupEnvironment(env)) == "" {
			continue
		}
		state := setup.NotSetUp
		if file, err := (&setupFlags{}).locate(env, c); err == nil {
			state = file.State()
		}
		found = append(found, fmt.Sprintf("%s (%s)", c.Title, state))
		ready = ready || state != setup.NotSetUp
	}
	switch {
	case len(found) == 0:
		f.Text, f.Command = "none was found that setup knows; any LSP client can start \"ploke-lsp serve\"", "ploke-lsp setup"
	case ready:
		f.Text = strings.Join(found, ", ")
	default:
		f.Level, f.Text, f.Command = project.Suspect, "none is set up: "+strings.Join(found, ", "), "ploke-lsp setup"
	}
	return f
}
