package mcp

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Path is where the server answers over HTTP.
const Path = "/mcp"

const (
	// firstWithoutSessions is the first version of the protocol in which requests belong to no session.
	firstWithoutSessions = "2026-07-28"
	// sessionTimeout is how long a session lives without a request. A client that comes back begins
	// another one.
	sessionTimeout = time.Hour
	// headerTimeout bounds how long a client may take to send the head of a request.
	headerTimeout = 10 * time.Second
	maxHeader     = 64 << 10
)

// ServeHTTP serves clients that know the token, until ctx ends. The listener must be at an address of this
// machine that others can't reach; it is closed.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, token string) error {
	server := &http.Server{Handler: s.handler(l.Addr(), token), ReadHeaderTimeout: headerTimeout,
		MaxHeaderBytes: maxHeader,
		BaseContext:    func(net.Listener) context.Context { return ctx }}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ListenLocal listens at an address such as 127.0.0.1:7411, which only programs of this machine can reach.
func ListenLocal(address string) (net.Listener, error) {
	at, err := netip.ParseAddrPort(address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q is not an address with a port, such as 127.0.0.1:7411", address)
	case !at.Addr().IsLoopback():
		return nil, fmt.Errorf("%s can be reached from other machines; use an address such as 127.0.0.1:%d", address,
			at.Port())
	}
	return net.Listen("tcp", at.String())
}

// handler answers the requests of clients that know the token.
func (s *Server) handler(at net.Addr, token string) http.Handler {
	options := &sdk.StreamableHTTPOptions{Logger: s.log, SessionTimeout: sessionTimeout, MaxRequestBodyBytes: messageBytes}
	shared := s.newSharedSession().protocol
	withSessions := inBothForms(func(r *http.Request, plain bool) *sdk.Server {
		switch {
		case r.Header.Get("Mcp-Session-Id") != "":
			return shared // it is only asked for its versions
		case plain:
			return s.newPlainSession().protocol
		}
		return s.newSession().protocol
	}, *options)
	options.Stateless = true
	withoutSessions := inBothForms(func(*http.Request, bool) *sdk.Server { return shared }, *options)
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= firstWithoutSessions {
			withoutSessions.ServeHTTP(w, r)
			return
		}
		withSessions.ServeHTTP(w, r)
	}
	mux.HandleFunc(Path, answer)
	mux.HandleFunc(Path+"/{$}", answer)
	return guard(mux, at, token)
}

// forbidden says why a request does not come from a program of this machine that is no web page; "" if it does.
func forbidden(r *http.Request, port string) string {
	origin := r.Header.Get("Origin")
	switch {
	case !isLocal(r.Host, port):
		return "the request is for another host"
	case origin != "" && !isOwn(origin, port):
		return "web pages may not use this server"
	}
	return ""
}

// guard lets only requests through that have the token and come from a program of this machine that
// is no web page. A page can have a name that leads to this machine, so the name of the host is
// looked at, too. No page has the server's own address: it serves none. Without a token, paths that nothing is
// served at are not found: clients look there for a server of OAuth, and would take another answer for one.
func guard(next *http.ServeMux, at net.Addr, token string) http.Handler {
	_, port, _ := net.SplitHostPort(at.String())
	wanted := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := forbidden(r, port); why != "" {
			http.Error(w, why, http.StatusForbidden)
			return
		}
		if _, served := next.Handler(r); served == "" {
			http.NotFound(w, r)
			return
		}
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		sum := sha256.Sum256([]byte(strings.TrimSpace(given)))
		if subtle.ConstantTimeCompare(sum[:], wanted[:]) != 1 || !strings.EqualFold(scheme, "Bearer") {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "the token is missing or wrong", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isOwn reports whether an Origin header is the server's own address.
func isOwn(origin, port string) bool {
	host, ok := strings.CutPrefix(origin, "http://")
	return ok && isLocal(host, port)
}

// isLocal reports whether a Host header names this machine and the server's port.
func isLocal(host, port string) bool {
	name, given, err := net.SplitHostPort(host)
	if err != nil || given != port {
		return false
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(name)
	return err == nil && address.IsLoopback()
}
