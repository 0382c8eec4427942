package inside

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Licences returns the licences of everything inside of the program and of the extension as one
// text. Each licence must be known, allowed and there.
func Licences(all []Component) ([]byte, error) {
	var b bytes.Buffer
	var faults []error
	b.WriteString("ploke-lsp and its extension for VS Code contain the work of others, under these licences.\n")
	for _, c := range all {
		faults = append(faults, checkLicence(c))
		if c.Text == "" {
			faults = append(faults, fmt.Errorf("%s %s: the text of its licence is missing", c.Kind, c.Name))
		}
		fmt.Fprintf(&b, "\n%s\n%s %s (%s, %s)\n\n%s\n", strings.Repeat("=", 80), c.Name, c.Version, c.Kind, c.Licence, c.Text)
	}
	return b.Bytes(), errors.Join(faults...)
}
