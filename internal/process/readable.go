package process

import "runtime"

// Readable returns environment variables by which programs print what can be read: without colors, and in English and
// UTF-8, whatever language the person speaks.
func Readable() []string {
	locale := "C.UTF-8"
	if runtime.GOOS == "darwin" { // which has no such locale
		locale = "en_US.UTF-8"
	}
	return []string{"NO_COLOR=1", "TERM=dumb", "LC_ALL=" + locale, "LANGUAGE=en", "DOTNET_CLI_UI_LANGUAGE=en"}
}
