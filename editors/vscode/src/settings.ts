// The settings in the shape that the server wants them. What is the user's alone
// goes with initializationOptions, since the server trusts these; all else, which a
// workspace may set, is told while the server runs. What is null counts as unset.
import { type WorkspaceConfiguration, workspace } from "vscode";

/** The settings that need another start of the server. */
export const startSections = [
  "serverPath",
  "providers",
  "checks",
  "telemetry",
  "limits.dailyCost",
  "index.embeddings",
  "edits.autoAccept",
].map((key) => `ploke.${key}`);

/** What only the user can set: package.json declares its scope to be the application. */
export function startSettings(): object {
  const config = workspace.getConfiguration("ploke");
  return {
    ...pick(config, ["providers", "checks", "telemetry"]),
    limits: { dailyCost: config.get("limits.dailyCost") },
    index: { embeddings: config.get("index.embeddings") },
    edits: { autoAccept: config.get("edits.autoAccept") },
  };
}

/** What the server takes at any time. */
export function liveSettings(): object {
  const config = workspace.getConfiguration("ploke");
  const { dailyCost: _dailyCost, ...limits } = config.get<Record<string, unknown>>("limits", {});
  const { embeddings: _embeddings, ...index } = config.get<Record<string, unknown>>("index", {});
  return { ...pick(config, ["model"]), limits, index };
}

function pick(config: WorkspaceConfiguration, keys: string[]): object {
  return Object.fromEntries(keys.map((key) => [key, config.get(key)]));
}
