// The settings in the server's format. Settings that only the user can change go
// with initializationOptions, which the server trusts. Settings that a workspace may
// change are sent while the server runs. null counts as unset.
import { type WorkspaceConfiguration, workspace } from "vscode";

/** Settings whose change restarts the server. */
export const startSections = [
  "serverPath",
  "model",
  "providers",
  "checks",
  "telemetry",
  "limits.dailyCost",
  "index.embeddings",
  "edits.autoAccept",
  "projectRules",
].map((key) => `ploke.${key}`);

/** Settings that only the user can change: package.json gives them the scope "application". */
export function startSettings(): object {
  const config = workspace.getConfiguration("ploke");
  return {
    ...pick(config, ["model", "providers", "checks", "telemetry", "projectRules"]),
    limits: { dailyCost: config.get("limits.dailyCost") },
    index: { embeddings: config.get("index.embeddings") },
    edits: { autoAccept: config.get("edits.autoAccept") },
  };
}

/** Settings that the server accepts while it runs. */
export function liveSettings(): object {
  const config = workspace.getConfiguration("ploke");
  const { dailyCost: _dailyCost, ...limits } = config.get<Record<string, unknown>>("limits", {});
  const { embeddings: _embeddings, ...index } = config.get<Record<string, unknown>>("index", {});
  return { limits, index };
}

function pick(config: WorkspaceConfiguration, keys: string[]): object {
  return Object.fromEntries(keys.map((key) => [key, config.get(key)]));
}
