// The tooltip of the status bar item: the facts, and commands to run.
import { MarkdownString } from "vscode";

/** The only commands that the tooltip may run, with their titles. */
const actions = {
  "ploke.view.chooseModel": "Choose model",
  "ploke.view.addModel": "Add a model",
  "ploke.view.ledger": "Ledger",
  "ploke.view.doctor": "Doctor",
  "ploke.view.showLog": "Log",
  "ploke.view.restartServer": "Restart server",
};

export function tooltip(lines: string[]): MarkdownString {
  const text = new MarkdownString("**ploke**\n\n");
  for (const line of lines) text.appendMarkdown("- ").appendText(line).appendMarkdown("\n");
  text.appendMarkdown(`\n${Object.entries(actions).map(([command, title]) => `[${title}](command:${command})`).join(" · ")}`);
  text.isTrusted = { enabledCommands: Object.keys(actions) };
  return text;
}
