package main

import (
	"context"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/term"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/setup"
)

// trialVariable names the typed key while its model is tried. It is never set in an environment.
const trialVariable = "THE_KEY_THAT_YOU_TYPED"

// trial returns an environment and a model with which the typed key is used, before it is stored.
func (m typedModel) trial(env environment) (environment, setup.Model) {
	if m.key == "" {
		return env, m.Model
	}
	outer, model := env.getenv, m.Model
	env.getenv = func(name string) string {
		if name == trialVariable {
			return m.key
		}
		return outer(name)
	}
	model.APIKeyEnv = trialVariable
	return env, model
}

// askKey asks for a key until what is typed may be one.
func (g *guide) askKey(ctx context.Context, question string) (string, error) {
	for {
		typed, err := g.askHidden(ctx, question)
		if err != nil {
			return "", err
		}
		key, err := config.CleanKey(typed)
		if err == nil {
			return key, nil
		}
		g.say("  That is not a key: %v.\n", err)
	}
}

// askHidden asks for what the terminal does not show.
func (g *guide) askHidden(ctx context.Context, question string) (string, error) {
	in, ok := g.env.stdin.(*os.File)
	if !ok || !isTerminal(in) || g.input.Buffered() > 0 {
		return g.ask(ctx, question)
	}
	shown, err := term.GetState(int(in.Fd()))
	if err != nil {
		return "", err
	}
	key, err := g.askWith(ctx, question, func() (string, error) {
		typed, err := term.ReadPassword(int(in.Fd()))
		return string(typed), err
	})
	if ctx.Err() != nil {
		_ = term.Restore(int(in.Fd()), shown) // which the interrupted reading has not done
		return key, err
	}
	if err == nil {
		g.say("\n")
	}
	return key, err
}

// chooseServer asks for the address of a server, its key and a model.
func (g *guide) chooseServer(ctx context.Context) (m typedModel, err error) {
	address, err := g.ask(ctx, "Its base URL, such as https://api.example.com/v1:")
	if err != nil || address == "" {
		return m, err
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		g.say("  %q is not a URL that begins with https:// or http://.\n", address)
		return m, nil
	}
	m.Model = setup.Model{Provider: providerName(u.Hostname()), Type: "openai", BaseURL: address}
	if m.key, err = g.askKey(ctx, "Its key (it is not shown), or nothing if it needs none:"); err != nil {
		return m, err
	}
	return g.chooseHosted(ctx, u.Host, m)
}

// providerName returns a name for the provider at a host: what stands before its last part, without such as "api".
func providerName(host string) string {
	parts := strings.Split(strings.ToLower(host), ".")
	if len(parts) < 2 || net.ParseIP(host) != nil {
		return "own"
	}
	name := strings.Map(func(r rune) rune {
		if r == '-' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, parts[len(parts)-2])
	if name == "" {
		return "own"
	}
	return name
}

// keySource chooses where a typed key is kept: the operating system's keyring, or else a file that only the person may
// read, next to the settings. It returns what stores the key.
func (c *common) keySource(ctx context.Context, env environment, m *typedModel) (store func() error, err error) {
	if runtime.GOOS == "windows" || config.KeyringWorks(ctx) {
		m.APIKeyKeyring = "ploke-lsp/" + m.Provider
		return func() error { return config.StoreInKeyring(ctx, m.APIKeyKeyring, m.key) }, nil
	}
	settings, err := c.configFile(env)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(filepath.Dir(settings), "keys")
	m.APIKeyCommand = []string{"cat", filepath.Join(folder, m.Provider)}
	return func() error {
		_, err := setup.StoreKey(folder, m.Provider, m.key)
		return err
	}, nil
}
