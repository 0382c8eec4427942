// The settings as the server wants them in initializationOptions: in its own
// shape, with only what the user has set, so that its other sources count for
// the rest.
import { workspace } from "vscode";

const KEYS = ["model", "providers", "limits", "index"];

/** The settings that the server takes at its start: a change of one needs another start. */
export const startSections = ["serverPath", ...KEYS].map((key) => `ploke.${key}`);

export function settings(): Record<string, unknown> {
  const config = workspace.getConfiguration("ploke");
  return Object.fromEntries(KEYS.map((key) => [key, config.get(key)]).filter(([, value]) => isSet(value)));
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
