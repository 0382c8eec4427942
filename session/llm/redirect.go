package llm

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// checkRedirect returns an error unless the redirect in a response may be followed:
// to the same origin, with the same method and body. It returns nil for a response
// that is none.
func checkRedirect(r *http.Request, response *http.Response) error {
	status := response.StatusCode
	if status < 300 || status >= 400 {
		return nil
	}
	refused := func(format string, args ...any) error {
		return &Error{Class: Redirect, Status: status, Message: fmt.Sprintf(format, args...)}
	}
	location := response.Header.Get("Location")
	target, err := r.URL.Parse(location)
	switch {
	case location == "" || err != nil:
		return refused("%s redirects to nowhere", origin(r.URL))
	case origin(target) != origin(r.URL):
		return refused("%s redirects to %s; nothing was sent there", origin(r.URL), origin(target))
	case keepsMethod(status) && (r.Body == nil || r.Body == http.NoBody || r.GetBody != nil):
		return nil
	case followed(status) && r.Method == http.MethodGet:
		return nil
	}
	return refused("%s redirects to its path %s in a way that loses the request", origin(r.URL),
		shorten(target.Path, maxShown))
}

// followed reports whether [http.Client] follows redirects with this status.
func followed(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		return true
	}
	return keepsMethod(status)
}

// keepsMethod reports whether a redirect with this status repeats the method and the
// body. Source: RFC 9110, sections 15.4.8 and 15.4.9.
func keepsMethod(status int) bool {
	return status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect
}

// origin returns the scheme, host and port of u. The port is left out if it is the
// scheme's default.
func origin(u *url.URL) string {
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && port != defaultPorts[scheme] {
		host += ":" + port
	}
	return shorten(scheme+"://"+host, maxShown)
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}
