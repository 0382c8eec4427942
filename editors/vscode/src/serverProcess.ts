// The process of the server, and why it has ended.
import { type ChildProcess, spawn } from "node:child_process";
import { workspace } from "vscode";

const keptErrorBytes = 4096;

/** Why a server has ended. A final one would happen again. */
export interface ServerEnd {
  reason: string;
  final: boolean;
}

export class ServerProcess {
  readonly child: ChildProcess;
  /** Resolves when the process has ended, or could not be started. */
  readonly ended: Promise<ServerEnd>;
  private errors = "";
  private cause: string | undefined;

  /** Starts the program with more variables in its environment. */
  constructor(path: string, variables: Record<string, string>) {
    const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
    this.child = spawn(path, [], { cwd: folder?.uri.fsPath, env: { ...process.env, ...variables } });
    this.child.stderr?.on("data", (data) => (this.errors = (this.errors + String(data)).slice(-keptErrorBytes)));
    this.child.stdin?.on("error", () => {}); // a write to a process that has just ended
    this.ended = new Promise((resolve) => {
      this.child.once("error", (error) => resolve({ reason: `${path} could not be started: ${error.message}.`, final: true }));
      this.child.once("close", (code, signal) => resolve(this.end(code, signal)));
    });
  }

  /** Ends a process that does not work as a server does. The cause is a sentence. */
  reject(cause: string): void {
    this.cause ??= cause;
    this.kill();
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }

  private end(code: number | null, signal: NodeJS.Signals | null): ServerEnd {
    if (this.cause) return { reason: this.cause, final: true };
    const how = signal ? `was ended by the signal ${signal}` : `ended with the exit code ${code}`;
    const last = this.errors.trim().split("\n").at(-1);
    return { reason: `ploke-lsp ${how}${last ? `: ${last}` : ""}.`, final: false };
  }
}
