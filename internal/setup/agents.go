package setup

import "path/filepath"

// agents is the table of the agents that can use the tools of "ploke-lsp mcp". Some are editors that
// are among the clients, too. Most of them give structured results to their model, so they get none.
var agents = []*Client{
	{Name: "claude-code", Title: "Claude Code", text: "claude-code.txt", why: "Claude Code keeps its file itself while it runs; this command adds the server"},
	{Name: "codex", Title: "Codex", text: "codex.toml", file: codexFile, format: lines{comment: "#", atEnd: true, parse: parseTOML}},
	{Name: "cursor", Title: "Cursor", text: "cursor.json",
		why: "Cursor tells a server of a project only in that project's file, .cursor/mcp.json, and setup does not write in workspaces"},
	{Name: "gemini", Title: "Gemini CLI", text: "gemini.json", file: geminiFile, format: jsonc{}},
	{Name: "opencode", Title: "opencode", text: "opencode.json", file: opencodeFile, format: jsonc{}},
	{Name: "vscode-mcp", Title: "VS Code's agents", text: "vscode-mcp.json", file: vscodeServersFile, format: jsonc{}},
	{Name: "zed-mcp", Title: "Zed's agent", text: "zed-mcp.json", file: zedFile, format: jsonc{}},
	{Name: "jetbrains-mcp", Title: "JetBrains AI Assistant", text: "jetbrains-mcp.json",
		why: "it belongs into the dialog Settings, Tools, AI Assistant, Model Context Protocol, with the project as the working directory"},
}

// Agents returns all agents, in the order in which people are told of them.
func Agents() []*Client { return agents }

func codexFile(env Environment) (string, error) {
	if dir := env.Getenv("CODEX_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "config.toml"), nil
	}
	home, err := env.Home()
	return filepath.Join(home, ".codex", "config.toml"), err
}

func geminiFile(env Environment) (string, error) {
	home, err := env.Home()
	return filepath.Join(home, ".gemini", "settings.json"), err
}

// opencodeFile returns the file that is there, of the two names that opencode reads.
func opencodeFile(env Environment) (string, error) {
	dir, err := opencodeFolder(env)
	plain := filepath.Join(dir, "opencode.json")
	return firstThatExists(plain, filepath.Join(dir, "opencode.jsonc"), plain), err
}

// opencodeFolder is among the configurations of Unix on each system.
func opencodeFolder(env Environment) (string, error) {
	if dir := env.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "opencode"), nil
	}
	home, err := env.Home()
	return filepath.Join(home, ".config", "opencode"), err
}

// vscodeServersFile returns the file of VS Code's default profile.
func vscodeServersFile(env Environment) (string, error) {
	dir, err := env.configFolder("APPDATA")
	if env.GOOS == "darwin" {
		dir, err = env.Home()
		dir = filepath.Join(dir, "Library", "Application Support")
	}
	return filepath.Join(dir, "Code", "User", "mcp.json"), err
}

func zedFile(env Environment) (string, error) {
	dir, err := zedFolder(env)
	return filepath.Join(dir, "settings.json"), err
}
