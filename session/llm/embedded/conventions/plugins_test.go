package conventions

import (
	"strings"
	"testing"
)

// TestPluginsAndSectionsOfABuild reads the plugins that format, and a section about building with what it needs.
func TestPluginsAndSectionsOfABuild(t *testing.T) {
	pom := "<project>\n  <plugin>\n    <artifactId>spotless-maven-plugin</artifactId>"
	readme := "# T\n\nIt needs Java 8 or newer.\n\n## Building\n\n```\nmvn clean verify\n```\n\nJDK 17 or newer is required.\n"
	for _, tt := range []struct{ task, file, text, says, not string }{
		{"lint", "pom.xml", pom, "- `mvn spotless:apply` — pom.xml:3\n- `mvn spotless:check` — pom.xml:3\n", ""},
		{"lint", "build.gradle.kts", "plugins {\n  id(\"com.diffplug.spotless\")\n}", "- `./gradlew spotlessApply` — build.gradle.kts:2\n", "mvn"},
		{"build", "README.md", readme, "- `mvn clean verify` — README.md:8\n\nIt needs, by its words:\n\n" +
			"- JDK 17 or newer is required. — README.md:11\n", "Java 8"},
	} {
		c := Commands{Task: tt.task}
		c.Read(Source{Path: tt.file, First: 1, Lines: strings.Split(tt.text, "\n")})
		if got := c.Say(); !strings.Contains(got, tt.says) || tt.not != "" && strings.Contains(got, tt.not) {
			t.Errorf("%s %s:\n%s", tt.task, tt.file, got)
		}
	}
}

// TestAFolderIsNoCommand reads sentences that name folders, and programs that commands have made.
func TestAFolderIsNoCommand(t *testing.T) {
	for line, want := range map[string]string{
		"It makes a virtual environment in, say, and uses `./venv`": "", "then run `./venv/bin/http`": "",
		"run `./build`": "./build", "run `./build/app`": "", "run `./scripts/`": "", "then run `./dev-setup`": "./dev-setup",
	} {
		if got := strings.Join(CommandsIn(line), ", "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
