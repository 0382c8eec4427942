package main

import (
	"fmt"
	"runtime"
	"strings"
)

// A platform is one for which the program is built.
type platform struct {
	os, arch string    // as Go calls them
	cc       string    // the C compiler
	tools    [2]string // the operating system and the architecture as Node.js and VS Code call them
}

var platforms = []platform{
	{"linux", "amd64", "x86_64-linux-gnu-gcc", [2]string{"linux", "x64"}},
	{"linux", "arm64", "aarch64-linux-gnu-gcc", [2]string{"linux", "arm64"}},
	{"windows", "amd64", "x86_64-w64-mingw32-gcc", [2]string{"win32", "x64"}},
	{"darwin", "amd64", "clang -arch x86_64", [2]string{"darwin", "x64"}},
	{"darwin", "arm64", "clang -arch arm64", [2]string{"darwin", "arm64"}},
}

// parsePlatforms returns the platforms of a list such as linux-amd64,windows-amd64.
func parsePlatforms(list string) (found []platform, err error) {
	for name := range strings.SplitSeq(list, ",") {
		p, err := parsePlatform(name)
		if err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	return found, nil
}

func parsePlatform(name string) (platform, error) {
	for _, p := range platforms {
		if p.String() == name {
			return p, nil
		}
	}
	return platform{}, fmt.Errorf("there is no platform %q, known are %s", name, strings.Join(platformNames(), ", "))
}

func (p platform) String() string { return p.os + "-" + p.arch }

// node returns the platform's name in npm and in VS Code's Marketplace, such as win32-x64.
func (p platform) node() string { return p.tools[0] + "-" + p.tools[1] }

// program returns the file name of the program.
func (p platform) program() string {
	if p.os == "windows" {
		return "ploke-lsp.exe"
	}
	return "ploke-lsp"
}

// native tells whether this machine runs the platform's program.
func (p platform) native() bool { return p.os == runtime.GOOS && p.arch == runtime.GOARCH }

// compiler returns the C compiler for the platform.
func (p platform) compiler() string {
	if p.native() && p.os == "linux" {
		return "gcc"
	}
	return p.cc
}

func platformNames() (names []string) {
	for _, p := range platforms {
		names = append(names, p.String())
	}
	return names
}
