package config_test

// personFolder is the folder of the settings of a person with this environment.
const personFolder = "/Users/me/Library/Application Support"

var person = environment{"HOME": "/Users/me"}
