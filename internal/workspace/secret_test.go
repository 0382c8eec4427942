package workspace

import "testing"

// TestFilesOfSecretsAreNotServed lists names as they are found in projects and homes.
func TestFilesOfSecretsAreNotServed(t *testing.T) {
	for _, name := range []string{
		".env", ".env.production", ".env.bak", ".ENV", ".env.", ".env. .", ".env::$DATA", ".env.local:stream:$DATA", "server.key::$DATA", "id_rsa.bak::$DATA", "server.pem.",
		".aws/credentials", ".kube/config", ".docker/config.json", "home/.cargo/credentials.toml", ".config/gh/hosts.yml",
		"id_rsa", "id_rsa.bak", "id_ed25519.old", "id_rsa~", "id_rsa_work", "id_ecdsa-2024.bak", "id_rsa.1",
		"server.key.bak", "tls/ca.pem~", "deploy.ppk.old", "store.jks.20240101", "server.key copy", "key.p12.orig.bak",
		".bash_history", ".zsh_history", ".python_history", ".psql_history", ".bash_history.old",
		"terraform.tfstate", "terraform.tfstate.backup", "envs/prod.tfstate", ".vault-token", ".terraformrc",
		"prod.kubeconfig", "kubeconfig", ".npmrc", ".netrc", ".pgpass", ".git-credentials", "office.ovpn",
	} {
		if !isSecret("/w/" + name) {
			t.Errorf("%s is served", name)
		}
	}
	for _, name := range []string{
		".env.example", "env.go", "environment.ts", "credentials.go", "aws/credentials.md", "config", "docker/config.json", ".docker/config.md",
		"id_rsa.pub", "id_rsa_test.go", "id_rsa.go", "identity.go", "keynote.go", "key.go", "history.go", "shell_history", "bash_history.go",
		"main.tf", "state.tf", "tfstate.go", "package.json", "notes.txt", "v1.2.3", "a:b", "backup.old",
	} {
		if isSecret("/w/" + name) {
			t.Errorf("%s is not served", name)
		}
	}
}

// TestCredentialsAreRecognizedByTheirContent knows files that may have any name.
func TestCredentialsAreRecognizedByTheirContent(t *testing.T) {
	tests := map[string]Skip{
		"\n{\n  \"type\": \"service_account\",\n  \"project_id\": \"p\",\n  \"private_key\": \"x\"\n}\n": Secret,
		`{"refresh_token":"x","type":"authorized_user"}`:                                                 Secret,
		`{"type": "service_account"}`:                                                                    "",
		`var example = {"type": "service_account", "private_key": "x"}`:                                  "",
		`{"name": "a package"}`:                                                                          "",
	}
	for text, want := range tests {
		if got := Classify([]byte(text)); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func BenchmarkIsSecret(b *testing.B) {
	for b.Loop() {
		isSecret("/home/me/project/internal/workspace/secret_test.go")
	}
}
