// An extension beside ploke's that starts gopls, as that for Go does. The end-to-end test reads here which process it is.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspace } from "vscode";
import { CloseAction, ErrorAction, LanguageClient } from "vscode-languageclient/node";

let client;

export async function activate() {
  const start = async () => {
    const [{ uri }] = workspace.workspaceFolders;
    const { gopls: program, PATH } = workspace.getConfiguration("guest");
    const gopls = spawn(program, [], { cwd: uri.fsPath, env: { ...process.env, PATH, GOTOOLCHAIN: "local", GOPROXY: "off" } });
    writeFileSync(join(tmpdir(), "gopls-pid"), String(gopls.pid));
    return gopls;
  };
  const errorHandler = {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => ({ action: CloseAction.Restart, handled: true }),
  };
  client = new LanguageClient("gopls", "gopls", start, { documentSelector: [{ scheme: "file", language: "go" }], errorHandler });
  await client.start();
}

export const deactivate = () => client?.stop();
