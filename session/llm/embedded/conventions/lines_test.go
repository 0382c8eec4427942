package conventions

import (
	"regexp"
	"testing"
)

// TestLinesThatDeclareErrors finds errors by their names, and by what they extend.
func TestLinesThatDeclareErrors(t *testing.T) {
	tests := []struct {
		line string
		want bool
	}{
		{"class HookException(CookieException):", true},
		{"class RepositoryNotFound(CookieException):", true},
		{"class Cloned(base.Mixin, errors.VcsError):", true},
		{"export class TooLate extends TimeoutError {", true},
		{"public final class TooLate<T> extends java.io.IOException {", true},
		{"    class TooLate : public Base, Error {", false}, // the first one decides
		{"class TooLate : public std::runtime_error {", true},
		{"struct TooLate: std::exception {", true},
		{"struct Late : std::bad_alloc {};", true},
		{"class List : public std::vector<Error> {", false},
		{"class TooLate : public app::Error {", true},
		{"class TooLate(message: String) : IOException(message)", true},
		{"  class TooLate < Net::Error", true},
		{"final class TooLate extends \\Exception", true},
		{"class TooLate : Exception", true},
		{"type ParseError struct {", true},
		{"var ErrLate = errors.New(\"late\")", true},

		{"class Report(val cause: Exception)", false},
		{"class Report(Base):  # an Exception", false},
		{"class Reporter extends ErrorHandler {", false},
		{"class Reporter(ErrorHandler):", false},
		{"interface Report extends Result<Error> {", false},
		{"    # a class extends Error", false},
		{"raise Error(class)", false},
	}
	line := regexp.MustCompile(ErrorLine)
	for _, tt := range tests {
		if got := line.MatchString(tt.line); got != tt.want {
			t.Errorf("%q declares an error: %v, want %v", tt.line, got, tt.want)
		}
	}
}
