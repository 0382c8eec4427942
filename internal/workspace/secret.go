package workspace

import (
	"path/filepath"
	"strings"
)

var (
	secretNames = map[string]bool{
		".env": true, ".envrc": true, ".netrc": true, "_netrc": true, ".pgpass": true, ".htpasswd": true,
		".npmrc": true, ".pypirc": true, ".dockercfg": true, ".git-credentials": true, "secring.gpg": true,
		"id_rsa": true, "id_dsa": true, "id_ecdsa": true, "id_ecdsa_sk": true, "id_ed25519": true, "id_ed25519_sk": true,
	}
	secretSuffixes = map[string]bool{
		".pem": true, ".key": true, ".p12": true, ".pfx": true, ".p8": true, ".ppk": true,
		".jks": true, ".keystore": true, ".kdbx": true,
	}
	// exampleSuffixes mark the templates that projects publish instead of their .env.
	exampleSuffixes = map[string]bool{
		".example": true, ".sample": true, ".template": true, ".tmpl": true, ".dist": true, ".defaults": true,
	}
)

// isSecret reports whether a file's name suggests that it contains keys or passwords.
func isSecret(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	ext := filepath.Ext(name)
	if strings.HasPrefix(name, ".env.") {
		return !exampleSuffixes[ext]
	}
	return secretNames[name] || secretSuffixes[ext]
}
