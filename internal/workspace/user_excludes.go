package workspace

import (
	"os"
	"path/filepath"
)

const systemGitConfig = "/etc/gitconfig"

// userExcludes returns the path of the ignore file that the person has for all repositories, as git
// looks for it in a repository: core.excludesFile of its configuration, else git/ignore in the configuration
// folder. "" is none.
func userExcludes(r repository) string {
	home := os.Getenv("HOME")
	if home == "" {
		home, _ = os.UserHomeDir()
	}
	config := os.Getenv("XDG_CONFIG_HOME")
	if config == "" && home != "" {
		config = filepath.Join(home, ".config")
	}
	c := newGitConfig(r, home, personsGitConfig(home, config))
	c.readAll()
	switch {
	case c.excludes != nil && *c.excludes == "":
		return ""
	case c.excludes != nil:
		return resolveIn(r.top, *c.excludes)
	case config == "":
		return ""
	}
	return filepath.Join(config, "git", "ignore")
}

// personsGitConfig returns the files of git's configuration of the system and of the person, the weakest first.
func personsGitConfig(home, config string) (files []string) {
	if no := os.Getenv("GIT_CONFIG_NOSYSTEM"); no == "" || no == "0" || no == "false" {
		system, set := os.LookupEnv("GIT_CONFIG_SYSTEM")
		if !set {
			system = systemGitConfig
		}
		files = append(files, system)
	}
	if global, set := os.LookupEnv("GIT_CONFIG_GLOBAL"); set {
		return append(files, global)
	}
	if config != "" {
		files = append(files, filepath.Join(config, "git", "config"))
	}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	return files
}
