package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/zalando/go-keyring"
)

const (
	keyPatience = 10 * time.Second // for a command, or the keyring
	keyLife     = 5 * time.Minute  // after which they are asked again
	killed      = time.Second      // after its end a command's children may hold its output open
)

// Keys finds the keys of providers. It is safe for concurrent use.
type Keys struct {
	Getenv func(string) string

	mu    sync.Mutex
	found map[string]foundKey // by what was asked
}

type foundKey struct {
	key   string
	until time.Time
}

// keyWays counts the ways to a key that are set.
func (p *Provider) keyWays() (n int) {
	for _, set := range []bool{p.APIKeyEnv != "", len(p.APIKeyCommand) > 0, p.APIKeyKeyring != ""} {
		if set {
			n++
		}
	}
	return n
}

// KeySource says where a provider's key comes from, "" if it has none.
func (p *Provider) KeySource() string {
	switch {
	case p.APIKeyEnv != "":
		return "the environment variable " + p.APIKeyEnv
	case len(p.APIKeyCommand) > 0:
		return "the command " + p.APIKeyCommand[0]
	case p.APIKeyKeyring != "":
		return "the keyring's entry " + p.APIKeyKeyring
	}
	return ""
}

// Find returns the key of a provider, "" if the settings name none. What a
// command or the keyring said is kept for a while.
func (k *Keys) Find(ctx context.Context, p Provider) (string, error) {
	switch {
	case p.APIKeyEnv != "":
		key := k.Getenv(p.APIKeyEnv)
		if key == "" {
			return "", fmt.Errorf("the environment variable %s, which is to hold the key, is not set where ploke-lsp runs: set it, or use apiKeyCommand or apiKeyKeyring", p.APIKeyEnv)
		}
		return key, nil
	case len(p.APIKeyCommand) > 0:
		return k.kept("command\x00"+strings.Join(p.APIKeyCommand, "\x00"), func() (string, error) { return fromCommand(ctx, p.APIKeyCommand) })
	case p.APIKeyKeyring != "":
		return k.kept("keyring\x00"+p.APIKeyKeyring, func() (string, error) { return fromKeyring(ctx, p.APIKeyKeyring) })
	}
	return "", nil
}

// kept returns the key that was found before, or asks for it.
func (k *Keys) kept(name string, ask func() (string, error)) (string, error) {
	k.mu.Lock()
	held, ok := k.found[name]
	k.mu.Unlock()
	if ok && time.Now().Before(held.until) {
		return held.key, nil
	}
	key, err := ask()
	if err != nil {
		return "", err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.found == nil {
		k.found = map[string]foundKey{}
	}
	k.found[name] = foundKey{key, time.Now().Add(keyLife)}
	return key, nil
}

// fromCommand runs a command, without a shell, that prints the key as one line.
// It runs in the root folder: in a workspace, the workspace's files could have a
// say in what it does.
func fromCommand(ctx context.Context, argv []string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, keyPatience, fmt.Errorf("it took more than %v", keyPatience))
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var said bytes.Buffer
	cmd.Dir, cmd.WaitDelay, cmd.Stderr = string(filepath.Separator), killed, &said
	out, err := cmd.Output()
	key := strings.TrimSpace(string(out))
	switch line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n"); {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err != nil && line != "":
		err = fmt.Errorf("%v: %s", err, line)
	case err == nil && key == "":
		err = errors.New("it printed nothing")
	case err == nil && strings.ContainsAny(key, "\r\n"):
		err = errors.New("it printed more than one line")
	}
	if err != nil {
		return "", fmt.Errorf("the command %s of apiKeyCommand gave no key: %v; try it in a terminal", argv[0], err)
	}
	return key, nil
}

// fromKeyring asks the operating system's keyring for SERVICE/USER, on Linux
// over D-Bus. It may ask the person to unlock it, which can't be taken back; the
// goroutine that waits for that ends with the answer, or the process.
func fromKeyring(ctx context.Context, name string) (string, error) {
	service, user, ok := strings.Cut(name, "/")
	if !ok {
		return "", fmt.Errorf("apiKeyKeyring is SERVICE/USER, not %q", name)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, keyPatience, fmt.Errorf("it did not answer within %v: unlock it, and ask again", keyPatience))
	defer cancel()
	type answer struct {
		key string
		err error
	}
	answered := make(chan answer, 1)
	go func() {
		key, err := keyring.Get(service, user)
		answered <- answer{key, err}
	}()
	var a answer
	select {
	case a = <-answered:
	case <-ctx.Done():
		a.err = context.Cause(ctx)
	}
	switch {
	case errors.Is(a.err, keyring.ErrNotFound):
		return "", fmt.Errorf("the keyring has no entry of the service %q for the user %q: add it, or use apiKeyEnv or apiKeyCommand", service, user)
	case a.err != nil:
		return "", fmt.Errorf("the operating system's keyring gave no key for %s: %v; where there is no keyring, use apiKeyEnv or apiKeyCommand", name, a.err)
	}
	return a.key, nil
}
