// The settings in the server's format. Settings that only the user can change go
// with initializationOptions, which the server trusts. Settings that a workspace may
// change are sent while the server runs. What nobody has set is not sent, so that the
// server's own configuration counts; the defaults in package.json only show the server's.
import { type WorkspaceConfiguration, workspace } from "vscode";

/** Settings that only the user can change: package.json gives them the scope "application". */
const userKeys = ["model", "checks", "mcp.servers", "telemetry", "projectRules", "limits.dailyCost", "index.embeddings", "edits.autoAccept", "history.keepDays", "history.keepMegabytes"];

/** Settings that the server accepts while it runs. */
const liveKeys = [
  ...["toolTimeout", "toolTokens", "autoContext", "turnRequests", "retries", "repairs", "contextTokens"].map((name) => `limits.${name}`),
  "index.exclude",
  "index.maxFileBytes",
];

/** Settings whose change restarts the server. */
export const startSections = ["serverPath", "providers", ...userKeys].map((key) => `ploke.${key}`);

/** The settings that the server gets when it starts. */
export function startSettings(providers: object): object {
  return { ...pick(userKeys), providers };
}

export function liveSettings(): object {
  return { limits: {}, index: {}, ...pick(liveKeys) };
}

/** Returns what is set under the keys, as nested objects. */
function pick(keys: string[]): object {
  const config = workspace.getConfiguration("ploke");
  const picked: Record<string, Record<string, unknown>> = {};
  for (const key of keys) {
    if (!isSet(config, key)) continue;
    const [section = "", name] = key.split(".");
    if (name === undefined) picked[section] = config.get(key) ?? {};
    else picked[section] = { ...picked[section], [name]: config.get(key) };
  }
  return picked;
}

function isSet(config: WorkspaceConfiguration, key: string): boolean {
  const { globalValue, workspaceValue, workspaceFolderValue } = config.inspect(key) ?? {};
  return [globalValue, workspaceValue, workspaceFolderValue].some((value) => value !== undefined && value !== null);
}
