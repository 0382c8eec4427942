package secretscan

import "sync"

// maxCached is the number of texts whose secrets are cached. Most texts have none.
const maxCached = 1 << 13

// cache holds the secrets of texts by their hash.
type cache struct {
	mu     sync.Mutex
	byHash map[string][]string
}

var scanned cache

// OfText returns the secrets in a text with this SHA-256 hash, each once. It scans a text
// again only after thousands of others, or if the hash is "", which is that of no text. The caller
// must not modify the result.
func OfText(hash string, text []byte) []string {
	secrets, known := Known(hash)
	if known {
		return secrets
	}
	secrets = Secrets(string(text))
	if hash == "" {
		return secrets
	}
	scanned.mu.Lock()
	defer scanned.mu.Unlock()
	if scanned.byHash == nil || len(scanned.byHash) >= maxCached {
		scanned.byHash = map[string][]string{}
	}
	scanned.byHash[hash] = secrets
	return secrets
}

// Known returns what OfText has found in a text with this SHA-256 hash, if that is still cached. The
// caller must not modify the result.
func Known(hash string) (secrets []string, ok bool) {
	scanned.mu.Lock()
	defer scanned.mu.Unlock()
	secrets, ok = scanned.byHash[hash]
	return secrets, ok
}
