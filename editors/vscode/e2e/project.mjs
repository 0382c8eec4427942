// The workspace of the tests: a small Go program.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const files = {
  "broken.json": '{\n  "a": 1\n  "b": 2\n}\n',
  "go.mod": "module greeter\n\ngo 1.22\n",
  "main.go": `package main

import (
	"fmt"
	"os"

	"greeter/greet"
)

func main() {
	for _, line := range os.Args[1:] {
		name, err := greet.ParseName(line)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(greet.Greeting(name))
	}
}
`,
  "greet/greet.go": `// Package greet says hello to people.
package greet

// polite is put before a name.
const polite = "Hello"

// Greeting returns the sentence that greets a person.
func Greeting(n Name) string {
	if n.Family == "" {
		return polite + ", " + n.Given + "!"
	}
	return polite + ", " + n.Given + " " + n.Family + "!"
}
`,
  "greet/name.go": `package greet

import (
	"errors"
	"strings"
)

// Name is the name of a person.
type Name struct {
	Given  string
	Family string
}

// ParseName reads a name as people write it: the given name first, then the
// family name, which may be missing.
func ParseName(line string) (Name, error) {
	given, family, _ := strings.Cut(strings.TrimSpace(line), " ")
	if given == "" {
		return Name{}, errors.New("the name is empty")
	}
	return Name{Given: given, Family: strings.TrimSpace(family)}, nil
}
`,
};

export function write(folder) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
