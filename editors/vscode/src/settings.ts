// The settings as the server wants them: its own configuration's shape, with
// only what the user has set, so that the server's other sources count for the rest.
import { workspace } from "vscode";

/** The server takes these at its start alone, because a workspace must not set them. */
const AT_START = ["providers", "checks"] as const;
const ANY_TIME = ["model", "limits", "index"] as const;

export type Settings = Record<string, unknown>;

/** What goes into initializationOptions. */
export function startSettings(): Settings {
  return pick([...AT_START, ...ANY_TIME]);
}

/** What the server may ask for, or be told of, while it runs. */
export function runningSettings(): Settings {
  return pick(ANY_TIME);
}

/** The settings that need another start of the server when they change. */
export const restartSections = ["ploke.serverPath", ...AT_START.map((key) => `ploke.${key}`)];

function pick(keys: readonly string[]): Settings {
  const config = workspace.getConfiguration("ploke");
  return Object.fromEntries(keys.map((key) => [key, config.get(key)]).filter(([, value]) => isSet(value)));
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
