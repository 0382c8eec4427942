package conventions

import (
	"regexp"
	"strings"
)

// nameLine matches the line with which a manifest says the name NAME.
const nameLine = `(?i)^\s*"?name"?\s*[:=]\s*["']NAME["']|^module (?:\S*/)?NAME(?:/v\d+)?\s*$|` +
	`^ {0,4}<artifactId>NAME<|^rootProject\.name\s*=\s*["']NAME["']|^\s*app: :NAME\b|^\s*\w+\.name\s*=\s*["']NAME["']`

// Naming are the files that say the names of a project and of its packages.
var Naming = []string{"/go.mod", "/Cargo.toml", "/*/Cargo.toml", "/*/*/Cargo.toml", "/package.json", "/*/package.json",
	"/*/*/package.json", "/pyproject.toml", "/setup.py", "/setup.cfg", "/pom.xml", "/*/pom.xml", "/settings.gradle*",
	"/composer.json", "/mix.exs", "/*.gemspec"}

// NameLine returns the pattern of the lines with which a manifest says that a project or a package has a name.
func NameLine(name string) string {
	return strings.ReplaceAll(nameLine, "NAME", regexp.QuoteMeta(name))
}
