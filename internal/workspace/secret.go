package workspace

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

var (
	secretNames = set(".envrc", ".netrc", "_netrc", ".pgpass", "pgpass.conf", ".htpasswd", ".my.cnf", ".mylogin.cnf",
		".npmrc", ".pypirc", ".dockercfg", ".dockerconfigjson", ".git-credentials", ".vault-token", ".databrickscfg",
		".s3cfg", ".boto",
		".terraformrc", "terraform.rc", "credentials.tfrc.json", "kubeconfig", "settings-security.xml", "secring.gpg",
		"application_default_credentials.json", "accesstokens.json", "msal_token_cache.json", "fish_history",
		"consolehost_history.txt")
	// secretFiles are names within folders that say what the files hold.
	secretFiles = []string{".aws/credentials", ".kube/config", ".docker/config.json", ".cargo/credentials", ".cargo/credentials.toml",
		".gem/credentials", ".config/gh/hosts.yml", ".config/hub", ".config/gcloud/credentials.db", ".config/gcloud/access_tokens.db"}
	secretSuffixes = set(".pem", ".key", ".p12", ".pfx", ".p8", ".ppk", ".jks", ".jceks", ".bks", ".keystore", ".kdbx",
		".pkcs12", ".pvk", ".agekey",
		".ovpn", ".kubeconfig", ".tfstate")
	// exampleSuffixes mark the templates that projects publish instead of their .env.
	exampleSuffixes = set(".example", ".sample", ".template", ".tmpl", ".dist", ".defaults")

	sshKey  = lazyregexp.New(`^id_(rsa|dsa|ecdsa|ed25519)([_-][\w-]+)?$`)
	history = lazyregexp.New(`^\.\w+_history$`)
	// backups are what editors and people append to the names of copies.
	backups = set("bak", "backup", "old", "orig", "save", "saved", "copy", "prev", "swp", "swo", "tmp", "txt")
)

func set(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[name] = true
	}
	return all
}

// isSecret reports whether a file's name suggests that it contains keys or passwords. So
// does the name of a copy of such a file.
func isSecret(path string) bool {
	path = strings.ToLower(filepath.ToSlash(path))
	folder, name := path[:strings.LastIndexByte(path, '/')+1], path[strings.LastIndexByte(path, '/')+1:]
	// Windows opens the same file without what follows a colon, and without final dots.
	if stream, _, ok := strings.Cut(name, ":"); ok && isSecret(folder+stream) {
		return true
	}
	for copied := true; copied; name, copied = original(name) {
		name = strings.TrimRight(name, ". ")
		if saysSecret(folder, name) {
			return true
		}
	}
	return false
}

// original returns the name of the file that a file's name says it is a copy of, such as
// id_rsa for id_rsa.bak.
func original(name string) (of string, copied bool) {
	if of, copied = strings.CutSuffix(name, "~"); copied {
		return of, true
	}
	at := strings.LastIndexAny(name, "._ -")
	if at < 1 {
		return "", false
	}
	mark := name[at+1:]
	return name[:at], backups[mark] || mark != "" && len(mark) <= len("20060102") && strings.Trim(mark, "0123456789") == ""
}

// saysSecret reports whether a name in lower case stands for secrets.
func saysSecret(folder, name string) bool {
	if name == ".env" || strings.HasPrefix(name, ".env.") {
		return !exampleSuffixes[filepath.Ext(name)]
	}
	if strings.Contains(folder, "/.") {
		for _, file := range secretFiles {
			if strings.HasSuffix(folder+name, "/"+file) {
				return true
			}
		}
	}
	return secretNames[name] || secretSuffixes[filepath.Ext(name)] ||
		strings.HasPrefix(name, "id_") && sshKey.MatchString(name) ||
		strings.HasSuffix(name, "_history") && history.MatchString(name)
}

// credentials are members of the JSON files that clouds issue to programs, and the types of
// these files.
var credentials = [][2][]byte{
	{[]byte(`"service_account"`), []byte(`"private_key"`)},
	{[]byte(`"authorized_user"`), []byte(`"refresh_token"`)},
	{[]byte(`"external_account_authorized_user"`), []byte(`"refresh_token"`)},
}

// holdsCredentials reports whether a text is a JSON file of credentials.
func holdsCredentials(text []byte) bool {
	if start := bytes.TrimLeft(text, " \t\r\n"); len(start) == 0 || start[0] != '{' {
		return false
	}
	return slices.ContainsFunc(credentials, func(c [2][]byte) bool {
		return bytes.Contains(text, c[0]) && bytes.Contains(text, c[1])
	})
}
