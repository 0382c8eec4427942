package lexicon

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// VersionAsked is a question for what has changed in a version, or since one.
type VersionAsked struct {
	Version string // such as 3.3.0 or 2
	Since   bool   // everything after it
	Until   string // the last version, if there are two
}

// VersionIn returns the version whose changes a message asks for. It reports false if the message asks for something
// else besides. project is the name of the project.
func VersionIn(message, project string) (asked VersionAsked, ok bool) {
	words := strings.Fields(strings.ToLower(Plain(message)))
	var versions []string
	asks := false
	for i, w := range words {
		w = strings.Trim(w, "`\"'()?,;:")
		before := ""
		if i > 0 {
			before = words[i-1]
		}
		called := before == strings.ToLower(project) && before != "" ||
			slices.Contains([]string{"version", "release", "v", "versions", "releases"}, before)
		switch {
		case dottedVersion.MatchString(w), called && wholeVersion.MatchString(w), len(w) > 1 && w[0] == 'v' &&
			wholeVersion.MatchString(w):
			versions = append(versions, strings.TrimSuffix(strings.TrimPrefix(w, "v"), ".x"))
		case ofChanges[w]:
			asks = true
		case w != strings.ToLower(project) && w != "" && !aroundVersions[w]:
			return VersionAsked{}, false
		}
		if slices.Contains([]string{"since", "after", "between", "from"}, w) {
			asked.Since = true
		}
	}
	if !asks || instructsChange[words[0]] || len(versions) == 0 || len(versions) > 2 {
		return VersionAsked{}, false
	}
	asked.Version = versions[0]
	if len(versions) > 1 {
		asked.Until, asked.Since = versions[1], true
	}
	return asked, true
}

var (
	dottedVersion = lazyregexp.New(`^v?\d+(?:\.\d+)+[\w.+-]*$|^v?\d+\.x$`)
	wholeVersion  = lazyregexp.New(`^v?\d{1,3}(?:\.x)?$`)
)

// ofChanges are the words of a question for changes.
var ofChanges = SetOf("changed change changes changelog new news added add adds fixed fix fixes removed removes " +
	"introduced introduces different differences happened notes improved improvements deprecated broke breaking breaks " +
	"updated dropped highlights features novelties")

// instructsChange are the words with which instructions begin.
var instructsChange = SetOf("change fix add update remove drop upgrade replace set bump")

// aroundVersions are the other words that such a question is made of.
var aroundVersions = SetOf("what which is are was were has have had been did does do in of for with since from after " +
	"between and to the a an version versions release releases v show me list tell all any there its it this project " +
	"library latest gist about bring brings brought come comes came got things everything anything entry section by how " +
	"differ compared vs versus major minor patch upgrade upgrading into on us get gets package notable important main " +
	"as most where can i read find that")
