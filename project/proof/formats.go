package proof

import "slices"

// formats are those of the problems of a tool, as Vim's errorformat has them: the first that matches a line counts.
type formats struct {
	by    counting
	lines []string
	// below reads what is printed below a problem; nil if nothing more is said there.
	below func(one *found, below []string)
}

// phpThrown is what PHP says of what nobody catches.
const phpThrown = `PHP Fatal error:  Uncaught %[A-Z]%[A-Za-z]%#: %m in %f:%l`

// The formats of tools.
var (
	goFormats    = formats{by: "go", lines: []string{`%-G#%.%#`, `vet: %f:%l:%c: %m`, `%f:%l:%c: %m`, `%f:%l: %m`}}
	goVetFormats = formats{by: "go", lines: []string{`%-G#%.%#`, `vet: %f:%l:%c: %m`, `%f:%l:%c: %m`}}
	cargoFormats = formats{by: "rust", lines: []string{`%Eerror: %m`, `%Z %#--> %f:%l:%c`, `%C%.%#`}}
	tscFormats   = formats{by: "script", lines: []string{`%f(%l\,%c): %trror TS%n: %m`, `%f(%l\,%c): %tarning TS%n: %m`, `%f:%l:%c - %trror TS%n: %m`}}
	cFormats     = formats{by: anyC, lines: []string{`%-GIn file included %.%#`, `%-G%f:%l:%c: note: %.%#`, `%-Gmake%.%#`, `%-Ggmake%.%#`, `%f:%l:%c: fatal %trror: %m`, `%f:%l:%c: %trror: %m`,
		`%f:%l:%c: %tarning: %m`,
		`%f:%l: %trror: %m`, `%f:%l: %tarning: %m`, `%f:%l: %m`, `%[^:]%#:%f:%[^:]%#: undefined %m`}, below: (*found).countedBy}
	javaFormats = formats{by: "maven", lines: []string{`[ERROR] %f:[%l\,%c] %m`, `[WARNING] %f:[%l\,%c] %m`, `e: file://%f:%l:%c %m`,
		`%f:%l: %trror: %m`,
		`%f:%l: %tarning: %m`, `[ERROR]   %f.%m`}, below: (*found).withJavaDetails}
	// One for each framework that a project is built for: the project is no part of the problem.
	dotnetFormats = formats{by: "dotnet", lines: []string{`%f(%l\,%c): %trror %m [%.%#proj%.%#]`, `%f(%l\,%c): %tarning %m [%.%#proj%.%#]`,
		`%f(%l\,%c): %trror %m`, `%f(%l\,%c): %tarning %m`}}
	mypyFormats    = formats{by: "mypy", lines: []string{`%f:%l:%c: %trror: %m`, `%f:%l: %trror: %m`, `%f:%l:%c: %tarning: %m`}}
	pyrightFormats = formats{by: "pyright", lines: []string{`%\s%#%f:%l:%c - %trror: %m`, `%\s%#%f:%l:%c - %tarning: %m`}}
	pythonFormats  = formats{lines: []string{`%E  File "%f"\, line %l%.%#`, `%Z%[A-Z]%[A-Za-z]%#Error: %m`,
		`Sorry: %[A-Za-z]%#Error: %m (%f\, line %l)`, `%C%.%#`}}
	mixFormats = formats{by: "elixir", lines: []string{`** (%[A-Za-z]%#Error) %f:%l:%c: %m`, `** (%[A-Za-z]%#Error) %f:%l: %m`, `%Eerror: %m`,
		`%Z%\s%#%[^ a-z]%# %f:%l:%c%.%#`, `%C%.%#`}}
	rubyFormats = formats{lines: []string{`%f:%l: %m`}}
	phpFormats  = formats{lines: []string{phpThrown, `PHP %[A-Z]%[a-z]%# error: %#%m in %f on line %l`,
		`%[A-Z]%[a-z]%# error: %#%m in %f on line %l`}}
	phpstanFormats  = formats{lines: []string{`%f:%l:%m`}}
	pytestFormats   = formats{lines: []string{`FAILED %f::%m`, `ERROR %f - %m`, `ERROR %f::%m`}}
	rubyTestFormats = formats{lines: []string{`rspec %f:%l # %m`, `%m [%f:%l]:`}}
	phpunitFormats  = formats{lines: []string{`%[0-9]%#) %m`, phpThrown}}

	// anyFormats are for commands that nothing is known of.
	anyFormats = formats{by: "any", lines: slices.Concat(tscFormats.lines, pytestFormats.lines, phpFormats.lines, []string{`%-G#%.%#`, `%-G%f:%l:%c: note: %.%#`,
		`%-G%f:%l: note: %.%#`, `%f:%l:%c: fatal %trror: %m`, `%f:%l:%c: %trror: %m`, `%f:%l:%c: %tarning: %m`, `%f:%l:%c: %m`,
		`%f:%l: %trror: %m`, `%f:%l: %tarning: %m`, `%f:%l: %m`, `%f(%l\,%c): %m`}), below: (*found).countedBy}
)
