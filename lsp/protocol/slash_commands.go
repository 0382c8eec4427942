package protocol

// MethodSlashCommands is a request for the user's slash commands. A message of [ChatSendParams] that
// begins with one, as in "/review a.go", is sent to the model as what the command stands for.
const MethodSlashCommands = "ploke/commands"

// SlashCommandsResult holds the commands in the user's folder, by name, and what is wrong with its
// other files. Folder is a path; it is empty if there can't be commands.
type SlashCommandsResult struct {
	Folder   string                `json:"folder"`
	Commands []SlashCommand        `json:"commands"`
	Problems []SlashCommandProblem `json:"problems"`
}

// A SlashCommand is a command by its name, without the slash. Unknown values are omitted.
type SlashCommand struct {
	Name         string `json:"name"`
	Description  string `json:"description,omitempty"`
	ArgumentHint string `json:"argumentHint,omitempty"`
}

// A SlashCommandProblem says why a file, or the folder, can't be used.
type SlashCommandProblem struct {
	Path  string `json:"path"`
	Error string `json:"error"`
}
