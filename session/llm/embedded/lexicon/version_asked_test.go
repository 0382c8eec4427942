package lexicon

import "testing"

func TestVersionIn(t *testing.T) {
	for message, want := range map[string]VersionAsked{
		"what changed in 3.3.0?": {Version: "3.3.0"}, "what's new in version 2": {Version: "2"}, "changes in v8.1": {Version: "8.1"},
		"changelog for 3.2": {Version: "3.2"}, "release notes of 4.0.0 please": {Version: "4.0.0"}, "what was fixed in 8.1.3?": {Version: "8.1.3"},
		"any breaking changes in v5": {Version: "5"}, "whats new in knex 3": {Version: "3"}, "What did version 2.x bring that is new": {Version: "2"},
		"what has changed since 3.2": {Version: "3.2", Since: true}, "changes between 2.4 and 3.0": {Version: "2.4", Since: true, Until: "3.0"},
	} {
		if got, ok := VersionIn(message, "knex"); !ok || got != want {
			t.Errorf("VersionIn(%q) = %v, %v, want %v", message, got, ok, want)
		}
	}
	for _, message := range []string{"what changed since 2024", "what changed in the last 3 days", "what is new", "which version is this",
		"what changed in python 3.8 support", "what changed in the pool in 3.3.0", "is 3.3.0 stable", "change 1.5 to 2.5"} {
		if got, ok := VersionIn(message, "knex"); ok {
			t.Errorf("VersionIn(%q) = %v", message, got)
		}
	}
}
