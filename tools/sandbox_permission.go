package tools

import (
	"strings"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/tools/running"
)

// SandboxPermission asks whether commands may run in a sandbox on copies of a folder, for a command that is about to.
// One answer under its key holds for all commands of the folder without a network, whoever runs them; the exact
// permission holds for this command alone.
func SandboxPermission(folder string, command []string) Permission {
	line := running.Line(command)
	return Permission{
		Title: "run commands in a sandbox, on copies of " + folder,
		Detail: line + "\nin a sandbox: it reaches no network and writes none of your files; " +
			"what it changes in the copy is proposed to you",
		Key: "sandbox: " + folder,
		Exact: ExactPermission{Title: "run in a sandbox, on a copy of " + folder + ": " + line,
			Key: running.Key("sandbox", folder, command)},
	}
}

// WeakerSandboxPermission asks whether a command may run in a sandbox that does not keep it from all that
// [SandboxPermission] says. It is asked for each time.
func WeakerSandboxPermission(box sandbox.Protection, folder string, command []string) Permission {
	return Permission{Title: "run a command in a weaker sandbox, on a copy of " + folder,
		Detail: running.Line(command) + "\nin " + box.Way + ", in which it\n" + strings.Join(box.Lacks, "\n"),
		Key:    running.Key("weaker sandbox", folder, command), OnlyOnce: true}
}

// permission asks whether a command may run in the sandbox. A network is asked for by itself.
func (c command) permission() Permission {
	switch {
	case len(c.sandbox.Lacks) > 0:
		return WeakerSandboxPermission(c.sandbox, c.folder, c.Args)
	case c.network == sandbox.NoNetwork:
		return SandboxPermission(c.folder, c.Args)
	case c.network == sandbox.HostLoopback:
		return Permission{
			Title: "run a command that reaches servers of this machine, in a sandbox on a copy of " + c.folder,
			Detail: c.title + "\nin a sandbox that reaches the TCP servers which listen on this machine's loopback now, " +
				"such as a database or a debugger, and nothing else of its networks",
			Key: c.key("sandbox with the loopback")}
	}
	return Permission{Title: "run a command that reaches the network, in a sandbox on a copy of " + c.folder,
		Detail: c.title + "\nin a sandbox with a network: what it reads in the copy can leave this machine",
		Key:    c.key("sandbox with a network")}
}

// permissionOutside asks whether a command may run without the sandbox, which can't be had.
func (c command) permissionOutside(why error) Permission {
	return Permission{Title: "run a command in " + c.Dir + " WITHOUT a sandbox",
		Detail: c.title + "\nin " + c.Dir + "\nwithout a sandbox, since " + why.Error() +
			"\nit can do all that you can do, and writes in your folder",
		Key: c.key("without a sandbox"), OnlyOnce: true}
}

// key names exactly this command, for a permission of a kind.
func (c command) key(kind string) string { return running.Key(kind, c.folder, c.Args) }
