package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"ploke-lsp/internal/process"
)

const (
	keyTimeout   = 10 * time.Second // for a command or the keyring
	keyLifetime  = 5 * time.Minute  // how long a key is cached
	maxKeyOutput = 64 << 10         // bytes that a command may print
)

// Keys looks up the keys of providers. It is safe for concurrent use.
type Keys struct {
	Getenv func(string) string

	mu    sync.Mutex
	found map[string]foundKey // by source
}

type foundKey struct {
	key   string
	until time.Time
}

// keySources returns how many sources of a key are set.
func (p *Provider) keySources() (n int) {
	for _, set := range []bool{p.APIKeyEnv != "", len(p.APIKeyCommand) > 0, p.APIKeyKeyring != ""} {
		if set {
			n++
		}
	}
	return n
}

// KeySource describes where a provider's key comes from. It is "" if the provider has no
// key.
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

// KeyMayPrompt reports whether looking up the key runs a program that may ask the person: a command, or the
// keyring, which may be locked.
func (p *Provider) KeyMayPrompt() bool { return len(p.APIKeyCommand) > 0 || p.APIKeyKeyring != "" }

// Find returns the key of a provider, or "" if the settings name none. A key from a
// command or the keyring is cached for five minutes.
func (k *Keys) Find(ctx context.Context, p Provider) (string, error) {
	found, err := k.lookUp(ctx, p)
	if err != nil || p.keySources() == 0 {
		return "", err
	}
	key, err := CleanKey(found)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s does not hold a key: %w", p.KeySource(), err)
	case key == "" && p.APIKeyEnv != "":
		return "", fmt.Errorf("the environment variable %s for the key is not set in the environment of ploke-lsp: set it, "+
			"or use apiKeyCommand or apiKeyKeyring", p.APIKeyEnv)
	case key == "":
		return "", fmt.Errorf("%s does not hold a key: it is empty", p.KeySource())
	}
	return key, nil
}

// lookUp returns the key of a provider as its source has it.
func (k *Keys) lookUp(ctx context.Context, p Provider) (string, error) {
	switch {
	case p.APIKeyEnv != "":
		return k.Getenv(p.APIKeyEnv), nil
	case len(p.APIKeyCommand) > 0:
		return k.cached("command\x00"+strings.Join(p.APIKeyCommand, "\x00"),
			func() (string, error) { return fromCommand(ctx, p.APIKeyCommand) })
	case p.APIKeyKeyring != "":
		return k.cached("keyring\x00"+p.APIKeyKeyring, func() (string, error) { return fromKeyring(ctx, p.APIKeyKeyring) })
	}
	return "", nil
}

// cached returns the cached key, or else looks it up.
func (k *Keys) cached(name string, lookup func() (string, error)) (string, error) {
	k.mu.Lock()
	entry, ok := k.found[name]
	k.mu.Unlock()
	if ok && time.Now().Before(entry.until) {
		return entry.key, nil
	}
	key, err := lookup()
	if err != nil {
		return "", err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.found == nil {
		k.found = map[string]foundKey{}
	}
	k.found[name] = foundKey{key, time.Now().Add(keyLifetime)}
	return key, nil
}

// keyBounds bound the command that prints a key.
var keyBounds = process.Bounds{Time: keyTimeout, Output: 2 * maxKeyOutput, Memory: 1 << 30}

// fromCommand runs a command that prints the key as one line. It runs without a shell and
// in the root folder, because files of the workspace could change what a command does
// there.
func fromCommand(ctx context.Context, argv []string) (string, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = string(filepath.Separator)
	var key string
	err := keyBounds.Stream(ctx, cmd, func(r io.Reader) error {
		printed, err := io.ReadAll(io.LimitReader(r, maxKeyOutput+1))
		if key = strings.TrimSpace(string(printed)); len(printed) > maxKeyOutput {
			return errors.New("it printed too much")
		}
		return err
	})
	switch {
	case err != nil:
		line, _, _ := strings.Cut(err.Error(), "\n") // of what it has written to its standard error
		err = errors.New(strings.TrimSuffix(strings.TrimSpace(line), ":"))
	case key == "":
		err = errors.New("it printed nothing")
	case strings.ContainsAny(key, "\r\n"):
		err = errors.New("it printed more than one line")
	}
	if err != nil {
		return "", fmt.Errorf("the command %s of apiKeyCommand gave no key: %v; try it in a terminal (it has none here)",
			argv[0], err)
	}
	return key, nil
}

// fromKeyring reads the entry SERVICE/USER of the operating system's keyring, on Linux
// over D-Bus. The keyring may prompt the person to unlock it, which can't be cancelled.
// The goroutine that waits for it ends with the answer or the process.
func fromKeyring(ctx context.Context, name string) (string, error) {
	service, user, ok := strings.Cut(name, "/")
	if !ok {
		return "", fmt.Errorf("apiKeyKeyring must have the form SERVICE/USER, not %q", name)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, keyTimeout,
		fmt.Errorf("it did not answer within %v: unlock it and try again", keyTimeout))
	defer cancel()
	type answer struct {
		key string
		err error
	}
	result := make(chan answer, 1)
	go func() {
		key, err := keyring.Get(service, user)
		result <- answer{key, err}
	}()
	var a answer
	select {
	case a = <-result:
	case <-ctx.Done():
		a.err = context.Cause(ctx)
	}
	switch {
	case errors.Is(a.err, keyring.ErrNotFound):
		return "", fmt.Errorf("the keyring has no entry for the service %q and the user %q: add it, or use apiKeyEnv or "+
			"apiKeyCommand", service, user)
	case a.err != nil:
		return "", fmt.Errorf("the operating system's keyring gave no key for %s: %v; without a keyring, use apiKeyEnv or "+
			"apiKeyCommand", name, a.err)
	}
	return a.key, nil
}

// KeyringWorks reports whether the operating system has a keyring that answers.
func KeyringWorks(ctx context.Context) bool {
	return withKeyring(ctx, func() error {
		if _, err := keyring.Get("ploke-lsp", "no such entry"); !errors.Is(err, keyring.ErrNotFound) {
			return err
		}
		return nil
	}) == nil
}

// StoreInKeyring puts a key into the operating system's keyring, as the entry SERVICE/USER.
func StoreInKeyring(ctx context.Context, name, key string) error {
	service, user, _ := strings.Cut(name, "/")
	return withKeyring(ctx, func() error { return keyring.Set(service, user, key) })
}

// withKeyring waits for what is done with the keyring, which may ask the person, for keyTimeout at most.
func withKeyring(ctx context.Context, do func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, keyTimeout, fmt.Errorf("it did not answer within %v", keyTimeout))
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
