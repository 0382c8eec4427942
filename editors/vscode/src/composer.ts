// The extension's side of the composer: asks the server what completes a word and what
// can be attached, sends the draft, and puts there what other parts of the editor add.
import { type Disposable, EventEmitter, type Memento, Uri, commands, env } from "vscode";
import type { Branches } from "./branches";
import type { Chat } from "./chat";
import type { Chip } from "./chip";
import type { Client } from "./client";
import type { Draft, FromComposer, Sent, ToComposer } from "./composerMessages";
import { messageOf } from "./errors";
import type { ModelChoice } from "./model";
import { type ClientAction, chatAttachment, chatComplete, chatSent } from "./protocol";
import type { SelectionChip } from "./selection";

const draftKey = "draft";

type Addition = Extract<ToComposer, { type: "add" | "edit" }>;
type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;

export class Composer implements Disposable {
  private readonly postEmitter = new EventEmitter<ToComposer>();
  private readonly subscriptions: Disposable[];
  private readonly additions = new Map<number, Addition>();
  private lastAddition = Date.now(); // the webview may outlive this extension host

  /** Messages to the webview. */
  readonly onPost = this.postEmitter.event;

  constructor(
    private readonly client: Client,
    private readonly chat: Chat,
    private readonly branches: Branches,
    private readonly choice: ModelChoice,
    private readonly selection: SelectionChip,
    private readonly memory: Memento,
  ) {
    this.subscriptions = [
      this.postEmitter,
      selection.onChange(() => this.postEmitter.fire(this.selectionMessage)),
      choice.onChange(() => this.postEmitter.fire(this.modelMessage)),
      chat.onRefused(({ sent, reason }) => this.takeBack(sent, reason)),
      chat.onWithdrawn((sent) => this.takeBack(sent)),
    ];
  }

  /** What a webview that has just been loaded must know. */
  replay(): ToComposer[] {
    const draft = this.memory.get<Draft>(draftKey);
    return [...(draft ? [{ type: "draft", draft } as const] : []), this.modelMessage, this.selectionMessage, ...this.additions.values()];
  }

  async handle(message: FromComposer): Promise<unknown> {
    switch (message.type) {
      case "send":
        return this.send(message);
      case "draft":
        return this.memory.update(draftKey, message.draft);
      case "stop":
        return this.chat.stop();
      case "complete":
        return this.complete(message.request, message.text);
      case "act":
        return actions[message.action](this.chat);
      case "check":
        return this.check(message.chip);
      case "attach":
        return this.attach(message.uris.map(fileUri));
      case "added":
        return this.additions.delete(message.id);
      case "dropSelection":
        return this.selection.drop();
      case "chooseModel":
        return commands.executeCommand("ploke.view.chooseModel");
      case "recall":
        return this.recall();
    }
  }

  focus(): void {
    this.postEmitter.fire({ type: "focus" });
  }

  /** Adds to the draft. */
  add(text: string, chips: Chip[], problem?: string): void {
    this.post({ type: "add", text, chips, ...(problem && { problem }) });
  }

  /** Attaches files and folders. */
  attach(uris: Uri[]): void {
    this.add("", uris.map((uri): Chip => ({ uri: uri.toString(), label: nameOf(uri) })));
  }

  /** Lets the user edit the question of a turn. */
  async edit(turn: string): Promise<void> {
    const { edits, text, chips } = await this.branches.read(turn);
    this.post({ type: "edit", edits, text, chips });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private get modelMessage(): ToComposer {
    return { type: "model", name: this.choice.used ?? "Model" };
  }

  private get selectionMessage(): ToComposer {
    const { chip } = this.selection;
    return { type: "selection", ...(chip && { chip }) };
  }

  /** Sends a message that the webview must not miss. */
  private post(addition: Unnumbered<Addition>): void {
    const numbered = { ...addition, id: ++this.lastAddition } as Addition;
    this.additions.set(numbered.id, numbered);
    this.postEmitter.fire(numbered);
  }

  private async send({ text, steer, attachments, edits }: Extract<FromComposer, { type: "send" }>): Promise<void> {
    try {
      if (edits) await this.branches.send({ text, attachments, edits });
      else await this.chat.send({ text, attachments }, steer);
    } catch (error) {
      this.takeBack({ text, attachments, ...(edits && { edits }) }, messageOf(error));
    }
  }

  /** Gives the user a message back that was not sent. */
  private takeBack({ text, attachments, edits }: Sent, reason?: string): void {
    if (!edits) return this.add(text, attachments, reason);
    this.post({ type: "edit", edits, text, chips: attachments });
    if (reason) this.postEmitter.fire({ type: "problem", text: reason });
  }

  /** The webview takes only the answer to its newest request. */
  private async complete(request: number, text: string): Promise<void> {
    const { conversationId } = this.chat;
    const { replace, items } = await this.client.request(chatComplete, {
      text, actions: Object.keys(actions) as ClientAction[], ...(conversationId && { conversationId }),
    });
    this.postEmitter.fire({ type: "completions", request, replace, items });
  }

  private async check(chip: Chip): Promise<void> {
    const { uri, range } = chip;
    try {
      const { path, folder } = await this.client.request(chatAttachment, { uri, ...(range && { range }) });
      const label = range ? chip.label : folder ? `${path}/` : path;
      this.postEmitter.fire({ type: "checked", chip: { ...chip, label, ...(folder && { folder }) } });
    } catch (error) {
      this.postEmitter.fire({ type: "checked", chip, problem: messageOf(error) });
    }
  }

  private async recall(): Promise<void> {
    const { conversationId } = this.chat;
    const { texts } = await this.client.request(chatSent, { ...(conversationId && { conversationId }) });
    this.postEmitter.fire({ type: "sent", texts });
  }
}

/** What can be chosen behind a slash. A new conversation leaves the focus in the input, where the person may type on. */
const actions: Record<ClientAction, (chat: Chat) => unknown> = {
  new: (chat) => chat.newConversation(),
  model: () => commands.executeCommand("ploke.view.chooseModel"),
  help: () => commands.executeCommand("ploke.view.help"),
  addCommand: () => commands.executeCommand("ploke.view.addCommand"),
};

/** Returns the file that a browser's workbench names by its remote host, which this process runs on. */
function fileUri(text: string): Uri {
  const uri = Uri.parse(text, true);
  return uri.scheme === "vscode-remote" && env.remoteName ? Uri.file(uri.path) : uri;
}

function nameOf(uri: Uri): string {
  return uri.path.split("/").findLast(Boolean) ?? uri.path;
}
