package project_test

import (
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session"
)

// localized is a compiler that speaks the language of the environment, in one of the ways in which that is said.
const localized = `grep -q nothing a.c || exit 0
case "${LC_ALL:-$LC_MESSAGES} $LANGUAGE" in
de*|*" de"*) echo "a.c:1:9: Fehler: »nothing« nicht deklariert" >&2 ;;
*) echo "a.c:1:9: error: ‘nothing’ undeclared" >&2 ;;
esac
exit 1
`

// TestToolsOfAnotherLanguageAreRead has a person who speaks German. GCC does, too, where its translations are installed.
func TestToolsOfAnotherLanguageAreRead(t *testing.T) {
	for name, tt := range map[string]struct{ program, locale, makefile, want string }{
		"a script": {"sh", "de_DE.UTF-8", "all:\n\tsh cc.sh\n", "make: 1 new problem: /a.c:1:9: ‘nothing’ undeclared"},
		"gcc":      {"gcc", "C.UTF-8", "all:\n\tgcc -fsyntax-only a.c\n", "make: 1 new problem: /a.c:1:9: ‘nothing’ undeclared here (not in a function)"},
	} {
		t.Run(name, func(t *testing.T) {
			testbed.Program(t, tt.program)
			testbed.Program(t, "make")
			for variable, value := range map[string]string{"LC_ALL": tt.locale, "LC_MESSAGES": "de_DE.UTF-8", "LANGUAGE": "de", "LANG": "de_DE.UTF-8"} {
				t.Setenv(variable, value)
			}
			v := newProven(t, `, "proof": {"rounds": 0}`, session.AllowAlways, map[string]string{"Makefile": tt.makefile, "cc.sh": localized,
				"a.c": "int n = 1;\n"}, onlyEdit("a.c", "= 1", "= nothing"))
			v.ask(t, "Do it.")
			if got := v.knownWithProblems(t, v.Project); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
