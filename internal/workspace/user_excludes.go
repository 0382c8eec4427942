package workspace

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

const (
	maxConfigBytes  = 1 << 20
	maxConfigDepth  = 10 // of files that include others, as in git
	systemGitConfig = "/etc/gitconfig"
)

// userExcludes returns the path of the ignore file that the person has for all repositories, as git
// looks for it in the repository with this folder of its own files: core.excludesFile of its
// configuration, else git/ignore in the configuration folder. "" is none.
func userExcludes(top, gitDir string) string {
	home := os.Getenv("HOME")
	if home == "" {
		home, _ = os.UserHomeDir()
	}
	config := os.Getenv("XDG_CONFIG_HOME")
	if config == "" && home != "" {
		config = filepath.Join(home, ".config")
	}
	c := gitConfig{home: home}
	for _, file := range append(personsGitConfig(home, config), filepath.Join(gitDir, "config")) {
		c.read(file, 0)
	}
	switch {
	case c.excludes != nil && *c.excludes == "":
		return ""
	case c.excludes != nil:
		return resolveIn(top, *c.excludes)
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

// gitConfig is what is read of git's configuration. Files that are included on a condition are left out.
type gitConfig struct {
	home     string
	excludes *string // core.excludesFile; nil if nothing sets it
}

// read reads a file of the configuration, if there is one.
func (c *gitConfig) read(path string, depth int) {
	data, err := ReadRegular(path, maxConfigBytes)
	if path == "" || err != nil || depth > maxConfigDepth {
		return
	}
	data = bytes.TrimPrefix(data, []byte(ByteOrderMark))
	text := strings.NewReplacer("\\\r\n", "", "\\\n", "").Replace(string(data)) // a line may go on
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if header, ok := strings.CutPrefix(line, "["); ok {
			section, line, _ = strings.Cut(header, "]")
			section = strings.ToLower(strings.TrimSpace(section))
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		switch section + "." + strings.ToLower(strings.TrimSpace(name)) {
		case "core.excludesfile":
			file := c.expand(configValue(value))
			c.excludes = &file
		case "include.path":
			c.read(resolveIn(filepath.Dir(path), c.expand(configValue(value))), depth+1)
		}
	}
}

// expand returns a path of the configuration, with the person's home folder for the tilde.
func (c *gitConfig) expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && c.home != "" {
		return filepath.Join(c.home, rest)
	}
	return path
}

// configValue returns what a value in git's configuration means, without quotes, escapes and the comment at its end.
func configValue(raw string) string {
	var b strings.Builder
	quoted, end := false, 0 // end is the length without white space at the end
	raw = strings.TrimSpace(raw)
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
			end = b.Len()
			continue
		case c == '\\' && i+1 < len(raw):
			i++
			b.WriteByte(escaped(raw[i]))
			end = b.Len()
			continue
		case !quoted && (c == '#' || c == ';'):
			return b.String()[:end]
		default:
			b.WriteByte(c)
			if quoted || c != ' ' && c != '\t' {
				end = b.Len()
			}
		}
	}
	return b.String()[:end]
}

// escaped returns the character that a backslash before c means.
func escaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	}
	return c
}
