package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// publisher holds what whoever publishes a release fills in, see publisher.toml.
type publisher struct {
	Maintainer string `toml:"maintainer"`
	Repository string `toml:"repository"`
	Downloads  string `toml:"downloads"`
	NPM        string `toml:"npm"`
	Builder    string `toml:"builder"`
}

func readPublisher(path string) (p publisher, err error) {
	f, err := os.Open(path)
	if err != nil {
		return p, err
	}
	defer f.Close()
	if err := toml.NewDecoder(f).DisallowUnknownFields().Decode(&p); err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// missing returns which values that the entries for package managers need are empty.
func (p publisher) missing() (names []string) {
	if p.Repository == "" {
		names = append(names, "repository in release/publisher.toml")
	}
	if p.Downloads == "" {
		names = append(names, "downloads in release/publisher.toml")
	}
	return names
}

// download returns the address of a file of the release.
func (p publisher) download(tag, file string) string {
	return strings.ReplaceAll(p.Downloads, "{tag}", tag) + "/" + file
}
