// Doors of the workbench that lead to the chat: a change of the selected lines, source control, tests and the terminal.
import {
  CancellationTokenSource, type Disposable, ProgressLocation, type TestItem, type TestMessage, Uri, commands, extensions, window, workspace,
} from "vscode";
import type { Chat } from "./chat";
import { type Chip, linesOf } from "./chip";
import type { Client } from "./client";
import type { ModelChoice } from "./model";
import { chatSend, commandRefactor } from "./protocol";
import { quote } from "./quote";

/** What is used of the API of VS Code's git extension. */
interface GitApi {
  repositories: Repository[];
}

interface Repository {
  rootUri: Uri;
  inputBox: { value: string };
}

/** A group of changes in the source control view, such as the staged ones. */
interface Group {
  id?: string;
}

/** What the menu of a failure's message gives. */
export interface Failure {
  test?: TestItem;
  message?: TestMessage;
}

export class Doors {
  constructor(
    private readonly client: Client,
    private readonly chat: Chat,
    private readonly choice: ModelChoice,
    private readonly reveal: () => Promise<void>,
  ) {}

  /** Asks what to change in the selected lines, or in that of the cursor. The proposed edit waits there. */
  async changeHere(): Promise<void> {
    const editor = window.activeTextEditor;
    if (editor?.document.uri.scheme !== "file") throw new Error("there are no lines to change: open a file first");
    const { document, selection } = editor;
    const range = selection.isEmpty ? document.lineAt(selection.active.line).range : selection;
    const name = document.uri.path.split("/").at(-1) ?? "";
    const words = await window.showInputBox({
      title: `ploke: change ${name}:${linesOf(range.start.line, range.end.line)}`, prompt: "What should change here? The edit waits for you in the file.",
      placeHolder: "return an error instead of panicking",
    });
    if (!words?.trim()) return;
    const { start, end } = range;
    await commands.executeCommand(commandRefactor, { uri: document.uri.toString(), range: { start, end } }, words.trim());
  }

  /** Writes a commit message for what is staged, or else for all changes, into the box of its repository. */
  async writeCommitMessage(of?: { rootUri?: Uri }): Promise<void> {
    const repository = this.repository(of?.rootUri);
    const source = new CancellationTokenSource();
    const { text, error, stopReason } = await window.withProgress(
      { location: ProgressLocation.Notification, title: "ploke: writing a commit message", cancellable: true },
      (_, token) => {
        token.onCancellationRequested(() => source.cancel());
        const { model } = this.choice;
        return this.client.request(chatSend, { text: "/commit", ...(model && { model }) }, source.token);
      },
    );
    source.dispose();
    if (stopReason === "cancelled") return;
    if (stopReason !== "done") throw new Error(error || "the model wrote no commit message: try again, or choose another model");
    const message = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n\1/m.exec(text)?.[2];
    if (!message) throw new Error(`the model wrote no commit message: “${text.trim().slice(0, 300)}”`);
    repository.inputBox.value = message.trim();
  }

  /** Has the changes reviewed: those of the group that was clicked, or all that are not committed. */
  reviewChanges(group?: Group): Promise<void> {
    return this.ask(group?.id === "index" ? "/review @staged" : "/review", []);
  }

  /** Has the cause of a failed test found and fixed. The menu of a message tells what it says, that of a test does not. */
  async fixTest(failure?: Failure | TestItem): Promise<void> {
    const { test, message }: Failure = failure && "label" in failure ? { test: failure } : (failure ?? {});
    if (!test) throw new Error("there is no failed test here: use the menu of a failure in the test results");
    const said = typeof message?.message === "string" ? message.message : (message?.message.value ?? "");
    const { uri, range } = test;
    const chips: Chip[] = uri && workspace.getWorkspaceFolder(uri)
      ? [{ uri: uri.toString(), label: uri.path.split("/").at(-1) ?? "", ...(range && { range: { start: { line: range.start.line, character: 0 }, end: { line: range.end.line, character: range.end.character } } }) }]
      : [];
    await this.ask(`/fix the test ${test.label} fails${said.trim() ? `:\n\n${quote(said.trim())}` : ""}`, chips);
  }

  explainCommand(): Promise<void> {
    return this.ask("/explain what the last command printed, and why it failed if it did: @terminal", []);
  }

  fixCommand(): Promise<void> {
    return this.ask("/fix the failure of the last command: @terminal", []);
  }

  /** Sends a question in the shown conversation. */
  private async ask(text: string, attachments: Chip[]): Promise<void> {
    await this.reveal();
    await this.chat.send({ text, attachments }, false);
  }

  /** The repository of a root, or the one of the open file, or the first one. */
  private repository(root?: Uri): Repository {
    const git = extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
    const all = git?.isActive ? git.exports.getAPI(1).repositories : [];
    const file = window.activeTextEditor?.document.uri.path ?? "";
    const found = all.find(({ rootUri }) => rootUri.toString() === root?.toString())
      ?? all.find(({ rootUri }) => file.startsWith(`${rootUri.path}/`)) ?? all[0];
    if (!found) throw new Error("there is no git repository here: open a folder of one");
    return found;
  }
}

/** Keeps a context key that says whether the last command in a terminal has failed. */
export function followCommands(last: { onFailed(listener: (failed: boolean) => void): Disposable }): Disposable {
  return last.onFailed((failed) => void commands.executeCommand("setContext", "ploke.commandFailed", failed));
}
