package lexicon

import "ploke-lsp/internal/lazyregexp"

// AsksExitCode reports whether a message asks with which status a program ends.
func AsksExitCode(message string) bool {
	return exitCode.MatchString(message) && !ofResponse.MatchString(message)
}

// ofResponse matches what speaks of the status of a response, and not of a program.
var ofResponse = lazyregexp.New(`(?i)\bhttps?\b|\bresponses?\b|\brequests?\b|\bservers?\b|\b[1-5](?:\d\d` +
	`|xx)\b|\bredirect|\bretr(?:y|ied)\b`)

// WithoutExitCode returns a message without the words for the status with which a program ends.
func WithoutExitCode(message string) string { return exitCode.ReplaceAllString(message, " ") }

var exitCode = lazyregexp.New(`(?i)\b(?:exit|return|status)[ -](?:codes?|status(?:es)?|values?)\b|\bexits? with\b|` +
	`\bexits?\b.*\bnon-?zero\b`)

// OfAnotherProgram reports whether a message asks what happens when something else, such as a command, ends with a
// failure.
func OfAnotherProgram(message string) bool { return anotherEnds.MatchString(Plain(message)) }

var anotherEnds = lazyregexp.New(`(?i)^(?:what|how)\b.*\b(?:if|when(?:ever)?|once|after|in case)\b.*\b` +
	`(?:command|program|process|child|subprocess|script|hook|job|task|step|test)s?\b.*\b(?:exits?|returns?|ends?` +
	`|fails?|terminates?)\b`)

// Exits matches a line that ends the program or says with which status it does.
const Exits = `os\.Exit\(|process\.exit|sys\.exit|System\.exit\(|Environment\.Exit|process::exit` +
	`|\bexit!?\(\s*[\w-]|` +
	`(?i:\bexit_?codes?\b)|\bSystemExit\b|\bExitCode\b|\bEXIT_[A-Z]+|^\s*exit \d|\babort\b` +
	`|\b[A-Z]+_(?:[A-Z]+_)?(?:ERROR|EXIT|ERR|STATUS|FAILURE)_?[A-Z_]*\s*=?\s*\d+\b`

// SetsStatus ranks a line by whether it has the number of a status, or gives a name to one.
func SetsStatus(line string) (rank int) {
	if setsStatus.MatchString(line) {
		rank += 4
	}
	if assignsStatus.MatchString(line) {
		rank += 2
	}
	if namesStatus.MatchString(line) {
		rank += 6
	}
	return rank
}

var (
	// setsStatus matches a line of code with the number of a status.
	setsStatus = lazyregexp.New(`(?i)^\s*[^\s/#*].*exit.*\b\d{1,3}\b`)
	// namesStatus matches a constant that is the status of one case.
	namesStatus = lazyregexp.New(`\b[A-Z]+_(?:[A-Z]+_)*(?:ERROR|EXIT|ERR|FAILURE)[A-Z_]*\s*=?\s*\d+\b`)
	// assignsStatus matches one that gives a name to it.
	assignsStatus = lazyregexp.New(`(?i)exit_?(?:code|status|failure|error)\w*\W*[=:]`)
)
