package repair

import (
	"regexp"
	"strings"
	"testing"
)

func TestWireName(t *testing.T) {
	for given, want := range map[string]string{
		"read_file":                             "read_file",
		"server__Tool-1":                        "server__Tool-1",
		"functions.read_file":                   "read_file",
		"Functions.read_file":                   "read_file",
		"functions.functions.read_file":         "read_file",
		"functions.read_file:0":                 "read_file",
		"default_api.read_file":                 "read_file",
		"default_api:read_file":                 "read_file",
		"tools.read_file":                       "read_file",
		"to=functions.read_file":                "read_file",
		"commentary to=functions.read_file":     "read_file",
		" read_file\n":                          "read_file",
		`"read_file"`:                           "read_file",
		"`functions.read_file`":                 "read_file",
		"read_file()":                           "read_file",
		"read_file<|channel|>commentary":        "read_file",
		"functions.read_file<|constrain|>json":  "read_file",
		"<|channel|>read_file<|end|>":           "read_file",
		"fs.read_file":                          "fs__read_file",
		"read file":                             "read_file",
		"lire_événement":                        "lire__v_nement",
		"":                                      "unknown",
		"functions.":                            "unknown",
		"<|channel|>":                           "unknown",
		" \t":                                   "unknown",
		"read\xfffile":                          "read_file",
		strings.Repeat("x", 200):                strings.Repeat("x", 64),
		"functions." + strings.Repeat("é", 200): strings.Repeat("_", 64),
		"tools_for_read":                        "tools_for_read",
	} {
		if got := Name(given); got != want {
			t.Errorf("%q is sent as %q, not %q", given, got, want)
		}
	}
}

var acceptedName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func FuzzName(f *testing.F) {
	f.Add("functions. read_file<|x|>\"()")
	f.Fuzz(func(t *testing.T, given string) {
		name := Name(given)
		if !acceptedName.MatchString(name) || Name(name) != name {
			t.Errorf("%q is sent as %q, then as %q", given, name, Name(name))
		}
		if acceptedName.MatchString(given) && name != given {
			t.Errorf("the valid name %q became %q", given, name)
		}
	})
}
