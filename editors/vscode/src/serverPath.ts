// Finds the server: the setting, else PLOKE_LSP, else the one inside of the extension,
// else the PATH. What a person names comes first; the bundled server fits the
// extension, which one on the PATH may not.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { workspace } from "vscode";

/** The path of the server, or why there is none. */
export type FoundServer = { path: string } | { missing: string };

export function findServer(extensionPath: string): FoundServer {
  const setting = workspace.getConfiguration("ploke").get<string>("serverPath");
  if (setting) return named(setting, "The setting ploke.serverPath");
  const variable = process.env["PLOKE_LSP"];
  if (variable) return named(variable, "The environment variable PLOKE_LSP");
  const name = process.platform === "win32" ? "ploke-lsp.exe" : "ploke-lsp";
  const folders = [join(extensionPath, "bin"), ...(process.env["PATH"] ?? "").split(delimiter)];
  const path = folders.map((folder) => join(folder, name)).find(isExecutable);
  return path ? { path } : { missing: "This package of the extension has no server for your system, and ploke-lsp is not on the PATH." };
}

function named(path: string, source: string): FoundServer {
  return isExecutable(path) ? { path } : { missing: `${source} names ${path}, where no program is.` };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
