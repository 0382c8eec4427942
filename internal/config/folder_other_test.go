//go:build !windows && !darwin

package config_test

// personFolder is the folder of the settings of a person with this environment.
const personFolder = "/home/me/.config"

var person = environment{"HOME": "/home/me"}
