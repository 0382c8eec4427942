package protocol

import "slices"

// The versions of the ploke/* methods that this server speaks: Version is the newest one and
// OldestVersion the oldest one. A new version is only made for changes that would break a client
// that ignores what it does not know. New methods, fields and values are no such changes.
const (
	Version       = 1
	OldestVersion = 1
)

// Experimental is the value of capabilities.experimental of the server and of the client.
type Experimental struct {
	Ploke Capabilities `json:"ploke"`
}

// Capabilities are the versions and the methods that one side supports. The client sends them as
// capabilities.experimental.ploke of initialize or, if it can't, as
// clientCapabilities.ploke in initializationOptions. The server replies with the newest
// version that both sides speak.
type Capabilities struct {
	Version int      `json:"version,omitzero"` // of the client: the newest one that it speaks; 1 if it is omitted
	Oldest  int      `json:"oldest,omitzero"`  // of the client: the oldest one that it speaks; by default the same
	Methods []string `json:"methods"`          // which the sender of this handles
}

// Has reports whether Methods contains method.
func (c Capabilities) Has(method string) bool {
	return slices.Contains(c.Methods, method)
}

// Versions returns the oldest and the newest version that the client speaks.
func (c Capabilities) Versions() (oldest, newest int) {
	newest = max(c.Version, 1)
	if c.Oldest < 1 || c.Oldest > newest {
		return newest, newest
	}
	return c.Oldest, newest
}

// Negotiate returns the newest version that the client and a server speak; ok is false if there
// is none.
func (c Capabilities) Negotiate(oldest, newest int) (version int, ok bool) {
	clientOldest, clientNewest := c.Versions()
	version = min(newest, clientNewest)
	return version, version >= max(oldest, clientOldest)
}
