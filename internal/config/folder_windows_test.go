package config_test

// personFolder is the folder of the settings of a person with this environment.
const personFolder = `C:\Users\me\AppData\Roaming`

var person = environment{"AppData": `C:\Users\me\AppData\Roaming`}
