package acp

import (
	"cmp"
	"context"
	"time"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/display"
)

// sendCommands tells the client of the user's slash commands.
func (s *openSession) sendCommands() {
	update := protocol.CommandsUpdate{Kind: "available_commands_update", Commands: []protocol.Command{}}
	for _, c := range s.folder.settings.SlashCommands().Commands {
		command := protocol.Command{Name: c.Name, Description: display.Name(cmp.Or(c.Description, c.Path))}
		if c.ArgumentHint != "" {
			command.Input = &protocol.CommandInput{Hint: display.Name(c.ArgumentHint)}
		}
		update.Commands = append(update.Commands, command)
	}
	s.update(update)
}

// showTitle sends the title of the conversation.
func (s *openSession) showTitle() {
	c, err := s.folder.project.Engine.Conversation(context.Background(), s.id)
	if err != nil || c.Title == "" {
		return
	}
	s.update(protocol.InfoUpdate{Kind: "session_info_update", Title: display.Name(c.Title),
		UpdatedAt: c.UpdatedAt.UTC().Format(time.RFC3339)})
}
