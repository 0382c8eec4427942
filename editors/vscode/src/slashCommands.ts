// "Add a Command…": a file in the user's folder, whose text is sent in place of its name.
import { basename, join } from "node:path";
import { Uri, window, workspace } from "vscode";
import type { Client } from "./client";
import { slashCommands } from "./protocol";

/** Asks for a name, and opens the file of the command, which is new or there. */
export async function addCommand(client: Client): Promise<void> {
  const { folder } = await client.request(slashCommands, {});
  if (!folder) throw new Error("there is no folder for commands: this system names no folder for settings");
  const name = await window.showInputBox({
    title: "Add a Command", prompt: "Its name, which you type behind a slash", placeHolder: "changelog",
    validateInput: (value) => (/^[\p{L}\p{N}_-]+$/u.test(value.trim()) ? undefined : "Use letters, digits, - and _"),
  });
  if (!name) return;
  const file = Uri.file(join(folder, `${basename(name.trim())}.md`));
  if (!(await exists(file))) await workspace.fs.writeFile(file, new TextEncoder().encode(template));
  await window.showTextDocument(file);
}

const template = `---
description: What it does, in a line
argument-hint: "[FILE]"
---
What the model reads in place of the command. $ARGUMENTS is what you write behind its name.
`;

async function exists(file: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(file);
    return true;
  } catch {
    return false;
  }
}
