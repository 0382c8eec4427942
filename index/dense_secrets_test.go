package index_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"
)

// TestPassagesNameTheSecretsOfTheirFile embeds a key, whose passages do not begin with its
// first line, and a key on one line, which is cut.
func TestPassagesNameTheSecretsOfTheirFile(t *testing.T) {
	var lines []string
	for i := range 40 {
		sum := sha256.Sum256([]byte{byte(i)})
		lines = append(lines, base64.RawStdEncoding.EncodeToString(append(sum[:], sum[:20]...))) // as long as those of OpenSSH
	}
	long := strings.NewReplacer("/", "", "+", "").Replace(strings.Join(lines, ""))
	p := open(t, map[string]string{
		"key.txt": "# The key\n-----BEGIN OPENSSH PRIVATE " + "KEY-----\n" + strings.Join(lines, "\n") + "\n-----END OPENSSH PRIVATE " +
			"KEY-----\n",
		"app.yaml": "# The service\nservice:\n  api_token: " + long + "\n  port: 80\n",
	})
	p.update()
	e := newEmbedder("m")
	p.useEmbedder(e)
	p.embed()
	if len(e.passages) < 4 {
		t.Fatalf("%d passages", len(e.passages))
	}
	for _, passage := range e.passages {
		shown := passage.Text
		for _, secret := range passage.Secrets {
			shown = strings.ReplaceAll(shown, secret, "")
		}
		for at := 0; at+8 <= len(long); at += 4 {
			if part := long[at : at+8]; strings.Contains(shown, part) {
				t.Errorf("%s, lines %d to %d, show %s", passage.Path, passage.StartLine, passage.EndLine, part)
				break
			}
		}
	}
}
