package inside

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/licenseclassifier/v2/assets"
)

// allowed are the licences, as SPDX identifiers, that what is inside of the program may have.
var allowed = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "MPL-2.0", "Unicode-DFS-2016", "blessing"}

// checkLicence returns an error if a licence of a component is not known or not allowed.
func checkLicence(c Component) error {
	if c.Licence == "" {
		return fmt.Errorf("%s %s %s: no licence is known", c.Kind, c.Name, c.Version)
	}
	for l := range strings.SplitSeq(c.Licence, " AND ") {
		if !slices.Contains(allowed, l) {
			return fmt.Errorf("%s %s %s: the licence %s is not on the list of those that are allowed", c.Kind, c.Name,
				c.Version, l)
		}
	}
	return nil
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying)([-.].*)?$`)

// licenceText returns the texts of the licences in the folder of a module or package, one after
// the other. Without any it returns an error that is fs.ErrNotExist.
func licenceText(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, e := range entries {
		if !licenceFile.MatchString(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return "", err
		}
		texts = append(texts, strings.TrimSpace(string(text)))
	}
	if texts == nil {
		return "", fmt.Errorf("no licence in %s: %w", folder, fs.ErrNotExist)
	}
	return strings.Join(texts, "\n\n"), nil
}

var classifier = sync.OnceValues(assets.DefaultClassifier)

// identify returns the SPDX identifiers of the licences in a text, joined by AND; "" if none is known.
func identify(text string) string {
	c, err := classifier()
	if err != nil {
		panic(err) // the texts are built in
	}
	var found []string
	for _, m := range c.Match([]byte(text)).Matches {
		if m.MatchType == "License" && !slices.Contains(found, m.Name) {
			found = append(found, m.Name)
		}
	}
	slices.Sort(found)
	return strings.Join(found, " AND ")
}
