// The URIs of documents that show proposed edits. They have the path of the file, which
// determines the language; the query says the rest.
import { Uri } from "vscode";

export const proposalScheme = "ploke-proposal";

/** The scheme of a diff of several files; the path is the id of the proposal. */
export const diffScheme = "ploke-review";

/**
 * The texts of a proposed file:
 * - after: as the proposal would have it in the text that it was made for; citations of the server name it
 * - now: as it is now, for a file that does not exist in the editor
 * - proposed: as it is now, with what waits; saving it edits the proposal
 * - resolved: the same, as the result of a merge; saving it accepts it
 * - base and ours: the text that the proposal was made for, and what the proposal makes of it
 */
export type Side = "after" | "now" | "proposed" | "resolved" | "base" | "ours";

export interface Address {
  /** The id of the proposal. */
  id: string;
  /** The uri of the file, under its current name. */
  uri: string;
  side: Side;
}

/** Returns the URI of a document; name is the file's name in it, by default its current one. */
export function documentOf(address: Address, name = address.uri): Uri {
  const { id, uri, side } = address;
  return Uri.from({ scheme: proposalScheme, path: Uri.parse(name).path, query: JSON.stringify({ id, uri, side }) });
}

export function addressOf(document: Uri): Address {
  return JSON.parse(document.query) as Address;
}
