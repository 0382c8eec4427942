// Resolves the conflicts of a proposed file in VS Code's three-way merge editor. To save
// its result is to accept it.
import { Uri, commands } from "vscode";
import type { Client } from "./client";
import { type Side, documentOf } from "./proposalAddress";
import { reviewMerge } from "./protocol";
import type { Waiting } from "./review";

export async function openMerge(client: Client, { proposal, file }: Waiting): Promise<void> {
  const { id, title } = proposal;
  await client.request(reviewMerge, { id, uri: file.uri }); // fails with the reason if there is nothing to merge
  const side = (name: Side) => documentOf({ id, uri: file.uri, side: name }, file.newUri);
  await commands.executeCommand("_open.mergeEditor", {
    base: side("base"),
    input1: { uri: side("ours"), title: "Proposed", description: title, detail: "" },
    input2: { uri: file.op === "create" ? side("now") : Uri.parse(file.uri), title: "Now", description: file.path, detail: "" },
    output: side("resolved"),
  });
}
