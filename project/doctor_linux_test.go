package project_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/project"
)

// TestTheDoctorSaysWhatProtects this machine from commands, and what does not: in bubblewrap, without it, and with nothing.
func TestTheDoctorSaysWhatProtects(t *testing.T) {
	needSandbox(t)
	without := t.TempDir() // a folder with the programs of the machine, but for bubblewrap
	for _, program := range []string{"sh", "true", "env"} {
		file, err := exec.LookPath(program)
		testbed.Need(t, program, err)
		if err := os.Symlink(file, filepath.Join(without, program)); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "file") // in which there is no room for trees
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		path, state, network string
		level                project.Level
		says                 string
		lacks                bool
	}{
		"bubblewrap": {level: project.Fine, says: "commands run on what is proposed in bubblewrap, on overlays of the folder, without a network: "},
		"loopback":   {network: "host-loopback", level: project.Fine, says: "with the servers of this machine's loopback: "},
		"a network":  {network: "on", level: project.Fine, says: "with the network: "},
		"Landlock": {path: without, level: project.Suspect, lacks: true,
			says: "commands run on what is proposed in Landlock, on copies of the folder"},
		"nothing": {state: file, level: project.Suspect, says: "nothing protects this machine from commands"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.path != "" {
				t.Setenv("PATH", tt.path)
			}
			if tt.state == "" {
				tt.state = t.TempDir()
			}
			var settings config.Settings
			settings.Sandbox.Network = tt.network
			found := project.SandboxFindings(t.Context(), settings, tt.state)
			if len(found) == 0 || found[0].What != "sandbox" || found[0].Level != tt.level || !strings.Contains(found[0].Text, tt.says) {
				t.Fatalf("%+v", found)
			}
			if tt.lacks != (len(found) > 1) {
				t.Errorf("what is lacking: %+v", found[1:])
			}
			for _, f := range found[1:] {
				if f.Level != project.Suspect || !strings.HasPrefix(f.Text, "in it, a command ") {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}
