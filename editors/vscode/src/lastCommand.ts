// The last command in a terminal, with the end of its output, as far as the shell tells: for @terminal, and to explain
// and fix what has failed.
import { type Disposable, EventEmitter, window } from "vscode";
import { withoutControls } from "./controls";
import type { ClientTerminalResult } from "./protocol";

/** How much of an output is kept, in UTF-16 code units: its end. */
const kept = 64 * 1024;

/** In milliseconds. */
const longestWait = 1000;

/** What is used of a command's execution, which VS Code reports since 1.93. */
interface Execution {
  readonly commandLine: { readonly value: string };
  read(): AsyncIterable<string>;
}

interface Executions {
  onDidStartTerminalShellExecution?(listener: (event: { execution: Execution }) => void): Disposable;
  onDidEndTerminalShellExecution?(listener: (event: { execution: Execution; exitCode: number | undefined }) => void): Disposable;
}

export class LastCommand implements Disposable {
  private readonly failedEmitter = new EventEmitter<boolean>();
  private readonly subscriptions: (Disposable | undefined)[];
  private execution: Execution | undefined;
  private output = "";
  private exitCode: number | undefined;
  private following: Promise<void> = Promise.resolve();

  /** Fires whether the last command has failed. */
  readonly onFailed = this.failedEmitter.event;

  constructor() {
    const executions = window as unknown as Executions;
    this.subscriptions = [
      this.failedEmitter,
      executions.onDidStartTerminalShellExecution?.(({ execution }) => {
        this.following = this.follow(execution);
      }),
      executions.onDidEndTerminalShellExecution?.(({ execution, exitCode }) => this.end(execution, exitCode)),
    ];
  }

  get failed(): boolean {
    return this.execution !== undefined && this.exitCode !== undefined && this.exitCode !== 0;
  }

  get result(): ClientTerminalResult {
    if (!this.execution) return { command: "", output: "" };
    const { exitCode } = this;
    return { command: this.execution.commandLine.value, output: withoutControls(this.output), ...(exitCode !== undefined && { exitCode }) };
  }

  /** VS Code may report the end of a command before what it printed last, so this waits a moment for that. */
  async whole(): Promise<ClientTerminalResult> {
    if (this.exitCode !== undefined) {
      await Promise.race([this.following, new Promise((resolve) => setTimeout(resolve, longestWait))]);
    }
    return this.result;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription?.dispose();
  }

  private async follow(execution: Execution): Promise<void> {
    this.execution = execution;
    this.output = "";
    this.exitCode = undefined;
    this.failedEmitter.fire(false);
    for await (const data of execution.read()) {
      if (this.execution !== execution) return;
      this.output = (this.output + data).slice(-kept);
    }
  }

  private end(execution: Execution, exitCode: number | undefined): void {
    if (this.execution !== execution) return;
    this.exitCode = exitCode;
    this.failedEmitter.fire(this.failed);
  }
}
