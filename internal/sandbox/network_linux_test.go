package sandbox_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/sandbox"
)

// TestNetworks says what a command reaches in each network: a server of its own, servers on the machine's loopback, and
// the machine's other address.
func TestNetworks(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	echo := func(network, address string) string {
		t.Helper()
		l, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				go func() {
					defer c.Close()
					text, _ := io.ReadAll(c)
					fmt.Fprintf(c, "echo %d", len(text))
				}()
			}
		}()
		return l.Addr().String()
	}
	v4, v6, other := echo("tcp4", "127.0.0.1:0"), echo("tcp6", "[::1]:0"), echo("tcp4", ownAddress()+":0")
	port := func(address string) string { return address[strings.LastIndex(address, ":")+1:] }
	const all = "own: echo 100000\nv4: echo 100000\nv6: echo 100000\n"
	for name, tt := range map[string]struct {
		network sandbox.Network
		want    string
	}{
		"none":          {sandbox.NoNetwork, "own: echo 100000\n"},
		"host-loopback": {sandbox.HostLoopback, all},
		"on":            {sandbox.HostNetwork, all + "other: echo 100000\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBox(t)
			copyProgram(t, filepath.Join(b.root, "call"))
			var out bytes.Buffer
			b.Args, b.Network, b.Output = []string{"sh", "-c", fmt.Sprintf(`
				./call ownserver
				./call ask v4 127.0.0.1:%s; ./call ask v6 [::1]:%s; ./call ask other %s; true`, port(v4), port(v6), other)}, tt.network, &out
			status, err := s.Run(t.Context(), b.Command)
			if err != nil || status != 0 || out.String() != tt.want {
				t.Errorf("status %d, %v, got %q, want %q", status, err, &out, tt.want)
			}
		})
	}
}

func init() {
	calls["ownserver"] = func([]string) error {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		go func() {
			if c, err := l.Accept(); err == nil {
				defer c.Close()
				text, _ := io.ReadAll(c)
				fmt.Fprintf(c, "echo %d", len(text))
			}
		}()
		return ask("own", l.Addr().String())
	}
	calls["ask"] = func(args []string) error { return ask(args[0], args[1]) }
}

// ask sends much to a server that says how much it was.
func ask(name, address string) error {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil
	}
	defer c.Close()
	if _, err := c.Write(make([]byte, 100_000)); err != nil {
		return err
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		return err
	}
	text, err := io.ReadAll(c)
	fmt.Fprintf(os.Stdout, "%s: %s\n", name, text)
	return err
}
