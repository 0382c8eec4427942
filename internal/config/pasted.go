package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"
)

// paths of requests are pasted with the address of the endpoint that they are below. The longest come first.
var requestPaths = []string{"/chat/completions", "/completions", "/embeddings", "/responses", "/messages", "/models", "/api/chat", "/api/generate", "/api/tags"}

// CleanURL returns the base URL of an endpoint from what a person has pasted: without blanks,
// quotes and invisible characters around it, without the path of a request at its end, and with its
// query. The error says what is wrong with it.
func CleanURL(pasted string) (string, error) {
	address := trimPasted(pasted)
	wrong := func(why string) (string, error) {
		return "", fmt.Errorf("%q is not the address of an endpoint, like https://example.com/v1: %s", address, why)
	}
	if strange := strings.IndexFunc(address, notWritten); strange >= 0 {
		return wrong("it has a blank, a line end or an invisible character inside")
	}
	u, err := url.Parse(address)
	switch {
	case !strings.Contains(address, "://"):
		return wrong("it has no http:// or https:// at its beginning")
	case err != nil:
		return wrong(errors.Unwrap(err).Error())
	case u.Scheme != "http" && u.Scheme != "https":
		return wrong("it begins with " + u.Scheme + "://, not with http:// or https://")
	case u.Hostname() == "":
		return wrong("it has no host behind " + u.Scheme + "://")
	}
	u.Fragment, u.RawFragment, u.ForceQuery = "", "", false
	path := u.EscapedPath()
	for _, request := range requestPaths {
		if base, found := strings.CutSuffix(strings.TrimRight(path, "/"), request); found {
			u.RawPath = base
			u.Path, _ = url.PathUnescape(base) // a part of an escaped path
			break
		}
	}
	return u.String(), nil
}

// CleanKey returns a key from what a person has pasted: without blanks, quotes and invisible
// characters around it, and without the word Bearer. The error says what is wrong with it, and does
// not show it.
func CleanKey(pasted string) (string, error) {
	key := trimPasted(pasted)
	if scheme, rest, found := strings.Cut(key, " "); found && strings.EqualFold(scheme, "bearer") {
		key = trimPasted(rest)
	}
	for _, r := range key {
		switch {
		case r == '\n' || r == '\r':
			return "", errors.New("it has a line end inside: paste it again, as one line")
		case notWritten(r):
			return "", fmt.Errorf("it has the character %U inside, which no key has: paste it again", r)
		case r > unicode.MaxASCII:
			return "", fmt.Errorf("it has the character %q inside, which no key has: paste it again, not from a text that "+
				"shows it shortened", r)
		}
	}
	return key, nil
}

// trimPasted removes what is copied along with a value.
func trimPasted(text string) string {
	return strings.TrimFunc(strings.ToValidUTF8(text, ""), func(r rune) bool {
		return notWritten(r) || strings.ContainsRune("\"'`‘’“”„«»<>", r)
	})
}

// notWritten reports whether a character is a blank, or one that is not shown.
func notWritten(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u3164' || r == '\u2800'
}
