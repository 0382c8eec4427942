package lexicon

import "testing"

func TestFurtherWordings(t *testing.T) {
	for message, want := range map[string]string{
		"what can I import from this package? I mean the entry points": "entry points", "what version of spoke is this checkout": "version",
		"which version of spoke do I have here": "version", "what are the 5 biggest python files": "largest", "the largest ruby modules": "largest",
		"which files include spoke.h": "imports", "what source files include <spoke.h>": "imports",
		"who changed spoke.ts the last time and why": "commits of", "what version of node do I need": "", "which files are in spoke": "",
		"who changed spoke.ts": "",
	} {
		got := ""
		for _, q := range Wordings {
			if q.Pattern.MatchString(message) {
				got = q.Asks
				break
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", message, got, want)
		}
	}
	for message, want := range map[string]bool{`how does it find the file when I write import "spoke"`: true,
		"who imports spoke":     false,
		"how is spoke imported": false} {
		if AsksMechanism(message) != want {
			t.Errorf("%s: %v", message, !want)
		}
	}
	for message, want := range map[string]bool{"Welche Funktionen rufen uniqueSpoke auf?": true, "Wo wird fooBar aufgerufen?": true,
		"qui appelle fooBar ?": true, "¿quién llama a fooBar?": true, "哪些函数调用了 fooBar?": true,
		"fooBar はどこから呼び出されますか":     true,
		"Wo ist fooBar definiert?": false} {
		if AsksForCallers(message) != want {
			t.Errorf("%s: %v", message, !want)
		}
	}
}
