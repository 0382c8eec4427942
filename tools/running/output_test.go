package running_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"ploke-lsp/tools/running"
)

// TestNoSecretIsCutInTwo where the beginning that is shown ends, in one long line: a part of it looks like nothing.
func TestNoSecretIsCutInTwo(t *testing.T) {
	const limit, secret = 8000, "hunter2Zebra77Zebra"
	for inside := 1; inside < len(secret); inside++ {
		before := ` password = "`
		all := strings.Repeat("x", limit/8-len(before)-inside) + before + secret + `" ` + strings.Repeat("y", 5*limit)
		end, err := running.Command{Args: []string{"any"}, Dir: t.TempDir()}.Run(t.Context(),
			func(_ context.Context, _, _ []string, output io.Writer) (string, bool, error) {
				_, err := io.WriteString(output, all)
				return "exit status 0", true, err
			}, nil, limit)
		shown, _, _ := strings.Cut(end.Output, "\n")
		if err != nil || len(end.Secrets) == 0 || strings.Contains(shown, "hunt") && !strings.Contains(shown, secret) {
			t.Fatalf("%d bytes of it: %q, %v", inside, shown[max(0, len(shown)-40):], err)
		}
	}
}
