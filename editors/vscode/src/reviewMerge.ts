// Resolves the conflicts of a proposed file in VS Code's three-way merge editor. To save
// its result is to accept it.
import { Uri, commands } from "vscode";
import type { Client } from "./client";
import { type Side, documentOf } from "./proposalAddress";
import { reviewMerge } from "./protocol";
import type { Waiting } from "./review";

const mergeEditor = "_open.mergeEditor";

export async function openMerge(client: Client, { proposal, file }: Waiting): Promise<void> {
  const { id, title } = proposal;
  await client.request(reviewMerge, { id, uri: file.uri }); // fails with the reason if there is nothing to merge
  const side = (name: Side) => documentOf({ id, uri: file.uri, side: name }, file.newUri);
  const now = file.op === "create" ? side("now") : Uri.parse(file.uri);
  if (!(await commands.getCommands()).includes(mergeEditor)) return openDiffs(title, side("base"), now, side("ours"));
  await commands.executeCommand(mergeEditor, {
    base: side("base"),
    input1: { uri: side("ours"), title: "Proposed", description: title, detail: "" },
    input2: { uri: now, title: "Now", description: file.path, detail: "" },
    output: side("resolved"),
  });
}

/** Shows in an editor without a merge editor what both sides have made of the base. */
async function openDiffs(title: string, base: Uri, now: Uri, ours: Uri): Promise<void> {
  await commands.executeCommand("vscode.changes", `Conflict: ${title}`, [[now, base, now], [ours, base, ours]]);
}
