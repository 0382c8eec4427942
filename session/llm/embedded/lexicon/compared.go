package lexicon

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// FilesCompared returns the two files or modules whose difference a message asks for, "" if it asks for none. A module
// has no ending.
func FilesCompared(message string) (a, b string) {
	for _, form := range comparedFiles {
		if m := form.FindStringSubmatch(strings.TrimRight(Plain(message), "?!. ")); m != nil {
			a, b = Bare(m[2]), Bare(m[3])
			isFile := FileName.MatchString(a) && FileName.MatchString(b)
			if isFile || m[1] != "" && moduleName.MatchString(a) && moduleName.MatchString(b) {
				return a, b
			}
		}
	}
	return "", ""
}

const modulesWord = `((?:the )?(?:modules?|files?|packages?) )?`

var (
	comparedFiles = []*lazyregexp.Regexp{
		lazyregexp.New(`(?i)^(?:what(?: is|'s|s| are)?|how|explain|tell me|show)? ?(?:the )?differences? between ` +
			modulesWord +
			`(\S+) and (?:the )?(?:modules? |files? |packages? )?(\S+)$`),
		lazyregexp.New(`(?i)^(?:compare|diff) ` + modulesWord + `(\S+) (?:and|with|to|vs\.?) (?:the )?(?:modules? ` +
			`|files? |packages? )?(\S+)$`),
	}
	moduleName = lazyregexp.New(`^[a-z][\w/.-]*$`)
)
