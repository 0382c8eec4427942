# Sourced by run.sh: writes the small Go program that the tests use as their workspace.
# usage: make_workspace DIR
make_workspace() {
  mkdir -p "$1/greet"
  printf 'module example.com/hello\n\ngo 1.21\n' >"$1/go.mod"
  cat >"$1/greet/greet.go" <<'GO'
// Package greet makes greetings in several languages.
package greet

// Greeting returns the greeting for a person, in the language of the program's user.
// An empty name greets the whole world.
func Greeting(name string) string {
	if name == "" {
		name = "world"
	}
	return hello() + ", " + name + "!"
}

// hello is the word that opens a greeting.
func hello() string {
	return "Hello"
}
GO
  cat >"$1/main.go" <<'GO'
package main

import (
	"fmt"

	"example.com/hello/greet"
)

// main greets whoever the program is started for.
func main() {
	fmt.Println(greet.Greeting("Ada"))
}
GO
}
