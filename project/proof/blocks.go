package proof

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// block is how a test runner writes about a test that fails: a line that begins it, and lines with more about it.
type block struct {
	after string             // the line behind which they are; "" for the whole output
	begin *lazyregexp.Regexp // its group is the name of the test, if it has one
	place *lazyregexp.Regexp // of the line that has file and line; nil: only the first line says anything
	skip  *lazyregexp.Regexp // of lines that say nothing; nil for none
	end   *lazyregexp.Regexp // of the line that ends one with a place; nil: a blank one does
	other string             // what begins like a block, and is none
}

var (
	phpunitBlocks = block{begin: lazyregexp.New(`^\d+\) (.+)$`), place: lazyregexp.New(`^(/.+\.php):(\d+)$`)}
	mochaBlocks   = block{begin: lazyregexp.New(`^  \d+\) (.+)$`),
		place: lazyregexp.New(`^ +at .*?\(?([^\s()]+):(\d+):\d+\)?$`),
		skip:  lazyregexp.New(`^\s+([+-] |[+-]\d|\+ expected)`)}
	jestBlocks = block{begin: lazyregexp.New(`^\s+● (.+)$`), other: "Console",
		place: lazyregexp.New(`^ +at .*?\(?([^\s()]+):(\d+):\d+\)?$`),
		skip:  lazyregexp.New(`^\s*(> )?\d* *\||^ +at .*/?node_modules/`)}
	vitestBlocks = block{begin: lazyregexp.New(`^ FAIL  (.+)$`),
		place: lazyregexp.New(`^ ❯ (?:\S+ )?(\S+):(\d+):\d+$`), skip: lazyregexp.New(`^[-+] `)}
	mixBlocks = block{begin: lazyregexp.New(`^  \d+\) (test .+)$`),
		place: lazyregexp.New(`^ +(\S+\.exs):(\d+)$`), skip: lazyregexp.New(`^ +(stacktrace:|\S+\.exs?:\d+: )`)}
	minitestBlocks = block{begin: lazyregexp.New(`^ +\d+\) (?:Failure|Error):()$`),
		place: lazyregexp.New(`([^\s\[]+\.rb):(\d+)`)}
	testUnitBlocks = block{begin: lazyregexp.New(`^(?:Failure|Error): (.+)$`),
		place: lazyregexp.New(`^(\S+\.rb):(\d+):in .+$`),
		skip:  lazyregexp.New(`^ +(?:=> +)?\d+: `), end: lazyregexp.New(`^=+$`)}
	dotnetBlocks = block{begin: lazyregexp.New(`^ +Failed (.+?) \[[^\]]+\]$`),
		place: lazyregexp.New(`^ +at .+ in (.+):line (\d+)$`), skip: lazyregexp.New(`^ +(Error Message|Stack Trace):$`)}
	tapBlocks = block{begin: lazyregexp.New(`^\s*not ok \d+ - (.+)$`),
		place: lazyregexp.New(`^\s+location: '(.+):(\d+):\d+'$`),
		skip:  lazyregexp.New(`^\s+(---|duration_ms:|type:|failureType:|code:|name:)`)}
	nodeBlocks  = block{after: "✖ failing tests:", begin: lazyregexp.New(`^✖ (.+) \([\d.]+ms\)$`)}
	ctestBlocks = block{after: "The following tests FAILED:", begin: lazyregexp.New(`^\s+\d+ - (.+ \(.+\))`)}
)

// maxDetails is how many lines about a test are in its message.
const maxDetails = 4

// in returns the problems of the blocks in a text.
func (b block) in(text string) (all []found) {
	text = cutLines(text, true)
	if _, rest, ok := strings.Cut(text, b.after); ok {
		text = rest
	} else {
		return nil
	}
	var details []string
	open, placed := false, false
	end := func() {
		if open {
			one := &all[len(all)-1]
			one.message = shortened(strings.Trim(one.message+": "+strings.Join(details, " "), ": "))
		}
		open, placed, details = false, false, nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if groups := b.begin.FindStringSubmatch(line); groups != nil {
			end()
			if open = b.other == "" || groups[1] != b.other; open {
				all = append(all, found{message: groups[1]})
			}
			continue
		}
		if !open || b.place == nil || b.skip != nil && b.skip.MatchString(line) {
			continue
		}
		if b.end != nil && placed && b.end.MatchString(line) {
			end()
			continue
		}
		words := strings.TrimSpace(line)
		if groups := b.place.FindStringSubmatch(line); groups != nil && !placed {
			placed = true
			one := &all[len(all)-1]
			one.file = groups[1]
			one.line, _ = strconv.Atoi(groups[2])
			if groups[0] == line {
				words = ""
			}
			if words == "" && len(details) == 0 {
				continue // the words follow
			}
		}
		if words == "" && placed && len(details) > 0 {
			end()
		} else if words != "" && len(details) < maxDetails {
			details = append(details, words)
		}
	}
	end()
	return once(all)
}

// reading returns what reads blocks, and where there are none, lines.
func reading(f formats, all ...block) reader {
	return func(output string) (report, error) {
		r, err := lines(f)(output)
		for _, b := range all {
			if problems := b.in(output); len(problems) > 0 {
				r.problems = problems
				break
			}
		}
		return r, err
	}
}

// readScript reads what the test script of a package.json prints, whatever runner it is.
var readScript = reading(tscFormats, jestBlocks, vitestBlocks, tapBlocks, nodeBlocks, mochaBlocks)

var (
	pytestSection = lazyregexp.New(`^_{2,} (?:ERROR (?:at setup of|at teardown of|collecting) )?(.+?) _{2,}$`)
	pytestPlace   = lazyregexp.New(`^(\S+\.py):(\d+):(?: |$)`)
	pytestFails   = lazyregexp.New(`^(?:FAILED|ERROR) (\S+?\.py)(?:::(.+?))?(?: - (.*))?$`)
	pytestError   = lazyregexp.New(`^E\s+(\S.*)$`)
)

// pytestSays is what pytest says in the section of a test.
type pytestSays struct {
	places map[string]int // the first line of each file
	error  string         // the first
}

// readPytest reads what pytest prints: the summary names the tests that fail, and the sections before it have their
// places.
func readPytest(output string) (r report, err error) {
	if r, err = lines(pytestFormats)(output); err != nil {
		return r, err
	}
	text := shortLines(output)
	at := strings.LastIndex(text, " short test summary info ")
	if at < 0 {
		return r, nil
	}
	sections := pytestSections(text[:at])
	r.problems = nil
	for line := range strings.Lines(text[at:]) {
		if groups := pytestFails.FindStringSubmatch(strings.TrimSuffix(line, "\n")); groups != nil {
			r.problems = append(r.problems, pytestProblem(groups[1], groups[2], groups[3], sections))
		}
	}
	r.problems = once(r.problems)
	return r, nil
}

func pytestProblem(file, test, message string, sections map[string]*pytestSays) found {
	name := file
	if test != "" {
		name = strings.ReplaceAll(test, "::", ".")
	}
	one := found{file: file}
	if said := sections[name]; said != nil {
		one.line, message = said.places[file], cmp.Or(message, said.error)
	}
	if test != "" {
		message = strings.TrimSuffix(test+" fails: "+message, ": ")
	}
	one.message = shortened(cmp.Or(message, "it can't be loaded"))
	return one
}

func pytestSections(text string) map[string]*pytestSays {
	sections := map[string]*pytestSays{}
	now := &pytestSays{places: map[string]int{}}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if groups := pytestSection.FindStringSubmatch(line); groups != nil {
			now = &pytestSays{places: map[string]int{}}
			sections[groups[1]] = now
		} else if groups := pytestPlace.FindStringSubmatch(line); groups != nil && now.places[groups[1]] == 0 {
			now.places[groups[1]], _ = strconv.Atoi(groups[2])
		} else if groups := pytestError.FindStringSubmatch(line); groups != nil && now.error == "" {
			now.error = groups[1]
		}
	}
	return sections
}

// readMake reads what a Makefile's tests print, whatever runs them: without a summary, nothing says how many ran.
var readMake = reading(cFormats, ctestBlocks, tapBlocks)

var (
	surefireTest  = lazyregexp.New(`^\[ERROR\] (\S.*?) +(?:-- )?Time elapsed: .*<<< (?:FAILURE|ERROR)!`)
	surefireFrame = lazyregexp.New(
		`^\s+at (?:[\w.]+/)?((?:[a-z_]\w*\.)*)[\w.$<>]+\((\w+\.(?:java|kt|scala|groovy)):(\d+)\)$`)
)

// readMaven returns what reads the compilers and Surefire of Maven: a problem for each test that fails, at the first
// place of its stack that is a test of the project.
func (p *part) readMaven() reader {
	return func(output string) (report, error) {
		r, err := lines(javaFormats)(output)
		if err != nil {
			return r, err
		}
		var fails []found
		for line := range strings.Lines(shortLines(output)) {
			line = strings.TrimSuffix(line, "\n")
			if groups := surefireTest.FindStringSubmatch(line); groups != nil && !strings.HasPrefix(groups[1], "Tests run: ") {
				fails = append(fails, found{message: groups[1] + " fails"})
				continue
			}
			if len(fails) == 0 {
				continue
			}
			last := &fails[len(fails)-1]
			if groups := surefireFrame.FindStringSubmatch(line); groups != nil && last.file == "" {
				if file := p.jvmTest(strings.ReplaceAll(groups[1], ".", "/") + groups[2]); file != "" {
					last.file = file
					last.line, _ = strconv.Atoi(groups[3])
				}
			} else if strings.HasSuffix(last.message, " fails") && strings.TrimSpace(line) != "" {
				last.message += ": " + shortened(strings.TrimSpace(line))
			}
		}
		if len(fails) > 0 {
			r.problems = once(fails)
		}
		return r, nil
	}
}

// jvmTest returns the file of a test's class in the part or its modules, "" if there is none.
func (p *part) jvmTest(file string) string {
	for _, module := range append([]string{"."}, p.names(p.dir, "*")...) {
		for _, sources := range []string{"src/test/java", "src/test/kotlin", "src/test/scala", "src/test/groovy"} {
			if name := path.Join(module, sources, file); p.hasFile(name) {
				return name
			}
		}
	}
	return ""
}

// gradleTest returns a command that runs the tests, also those that passed before, and says as Maven does how many
// there were and which fail, which Gradle itself does not. Quietly, since it prints what the compiler says behind the
// names of tasks, in one line.
func gradleTest(p *part) []string {
	const script = `cat >"$TMPDIR/tests.gradle" <<'END'
allprojects { tasks.withType(Test) {
  outputs.upToDateWhen { false }
  afterTest { test, r -> r.exceptions.take(1).each { e ->
    println "[ERROR] ${test.className}.${test.name} -- Time elapsed: 0 s <<< FAILURE!\n${e}"
    e.stackTrace.each { if (!(it.className ==~ /(java|jdk|sun|org\.(junit|gradle|testng))\..*/)) println "\tat ${it}" }
  } }
  afterSuite { suite, r -> if (!suite.parent) println "Tests run: ${r.testCount}, " +
    "Failures: ${r.failedTestCount}, Errors: 0, Skipped: ${r.skippedTestCount}" }
} }
END
exec "$@" --init-script "$TMPDIR/tests.gradle"`
	return []string{"sh", "-c", script, "gradle", p.wrapper("gradlew", "gradle"), "--offline", "-q", "--continue", "test"}
}
