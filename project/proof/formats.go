package proof

import "slices"

// Formats of problems, as Vim's errorformat has them: the first that matches a line counts.
var (
	goFormats    = []string{`%-G#%.%#`, `vet: %f:%l:%c: %m`, `%f:%l:%c: %m`, `%f:%l: %m`}
	goVetFormats = []string{`%-G#%.%#`, `vet: %f:%l:%c: %m`, `%f:%l:%c: %m`}
	cargoFormats = []string{`%Eerror: %m`, `%Z %#--> %f:%l:%c`, `%C%.%#`}
	tscFormats   = []string{`%f(%l\,%c): %trror TS%n: %m`, `%f(%l\,%c): %tarning TS%n: %m`, `%f:%l:%c - %trror TS%n: %m`}
	cFormats     = []string{`%-GIn file included %.%#`, `%-G%f:%l:%c: note: %.%#`, `%-Gmake%.%#`, `%-Ggmake%.%#`, `%f:%l:%c: fatal %trror: %m`, `%f:%l:%c: %trror: %m`,
		`%f:%l:%c: %tarning: %m`,
		`%f:%l: %trror: %m`, `%f:%l: %tarning: %m`, `%f:%l: %m`, `%[^:]%#:%f:%[^:]%#: undefined %m`}
	javaFormats = []string{`[ERROR] %f:[%l\,%c] %m`, `[WARNING] %f:[%l\,%c] %m`, `e: file://%f:%l:%c %m`,
		`%f:%l: %trror: %m`,
		`%f:%l: %tarning: %m`, `[ERROR]   %f.%m`}
	dotnetFormats  = []string{`%f(%l\,%c): %trror %m`, `%f(%l\,%c): %tarning %m`}
	mypyFormats    = []string{`%f:%l:%c: %trror: %m`, `%f:%l: %trror: %m`, `%f:%l:%c: %tarning: %m`}
	pyrightFormats = []string{`%\s%#%f:%l:%c - %trror: %m`, `%\s%#%f:%l:%c - %tarning: %m`}
	pythonFormats  = []string{`%E  File "%f"\, line %l%.%#`, `%Z%[A-Z]%[A-Za-z]%#Error: %m`,
		`Sorry: %[A-Za-z]%#Error: %m (%f\, line %l)`, `%C%.%#`}
	mixFormats = []string{`** (%[A-Za-z]%#Error) %f:%l: %m`, `** (%[A-Za-z]%#Error) %f:%l:%c: %m`, `%Eerror: %m`,
		`%Z%\s%#%[^ a-z]%# %f:%l:%c%.%#`, `%C%.%#`}
	rubyFormats = []string{`%f:%l: %m`}
	phpFormats  = []string{`PHP %[A-Z]%[a-z]%# error: %#%m in %f on line %l`,
		`%[A-Z]%[a-z]%# error: %#%m in %f on line %l`}
	phpstanFormats  = []string{`%f:%l:%m`}
	pytestFormats   = []string{`FAILED %f::%m`, `ERROR %f - %m`, `ERROR %f::%m`}
	rubyTestFormats = []string{`rspec %f:%l # %m`, `%m [%f:%l]:`}
	phpunitFormats  = []string{`%[0-9]%#) %m`}

	// anyFormats are for commands that nothing is known of.
	anyFormats = slices.Concat(tscFormats, pytestFormats, []string{`%-G#%.%#`, `%f:%l:%c: %trror: %m`,
		`%f:%l:%c: %tarning: %m`, `%f:%l:%c: %m`,
		`%f:%l: %trror: %m`, `%f:%l: %m`, `%f(%l\,%c): %m`})
)
