package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"runtime/debug"
	"strings"
)

// release is the tag of a release, such as v0.1.0. A build without git sets it, since only git
// tells the tag: -ldflags "-X main.release=v0.1.0".
var release string

// version says what this program was built from: its version, and in parentheses the commit and
// the commit's date, as far as the build has stored them.
var version = describeBuild()

func describeBuild() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describe(release, info)
}

// describe returns the version of a build, and where it comes from. Go stores the nearest tag of
// the commit as the module's version; "+dirty" at its end says that files were changed.
func describe(release string, info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	name := strings.TrimPrefix(cmp.Or(release, info.Main.Version), "v")
	if name == "" || name == "(devel)" {
		name = "development build"
	}
	var from []string
	for _, key := range []string{"vcs.revision", "vcs.time"} {
		if value := settings[key]; value != "" {
			from = append(from, value)
		}
	}
	if from == nil {
		return name
	}
	return name + " (" + strings.Join(from, ", ") + ")"
}

func versionCommand(*flag.FlagSet, *common) func(context.Context, environment, []string) error {
	return func(_ context.Context, env environment, _ []string) error {
		fmt.Fprintf(env.stdout, "ploke-lsp %s\n", version)
		return nil
	}
}
