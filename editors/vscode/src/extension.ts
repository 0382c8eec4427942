// The extension's entry point: creates the parts, connects them and registers the
// commands. The server does everything else.
import { type ExtensionContext, commands, window, workspace } from "vscode";
import { Chat } from "./chat";
import { Client } from "./client";
import { Conversations } from "./conversations";
import { reporting } from "./errors";
import { ModelChoice } from "./model";
import { Permissions } from "./permissions";
import { ProposalFiles, proposalScheme } from "./proposalFiles";
import { type Named, Proposals } from "./proposals";
import { Status } from "./status";
import { ChatView, viewId } from "./chatView";

const lastConversation = "lastConversation";

let client: Client | undefined;

export function activate(context: ExtensionContext): void {
  client = new Client();
  const model = new ModelChoice(client, context.workspaceState);
  const chat = new Chat(client, model);
  const permissions = new Permissions(client, chat);
  const view = new ChatView(context, chat, permissions);
  const files = new ProposalFiles(client);
  context.subscriptions.push(
    client,
    model,
    chat,
    permissions,
    view,
    new Status(client, chat, model),
    window.registerWebviewViewProvider(viewId, view, { webviewOptions: { retainContextWhenHidden: true } }),
    files,
    workspace.registerFileSystemProvider(proposalScheme, files, { isCaseSensitive: true }),
    files.onSave((proposal) => chat.proposalChanged(proposal)),
    chat.onChange(() => remember(context, chat)),
    client.onRunning((running) => running && client?.answers && void reporting(restore)(context, chat)),
  );
  registerCommands(context, client, chat, model, view, permissions, new Proposals(client, files));
  void reporting(() => client?.start())();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function registerCommands(
  context: ExtensionContext, client: Client, chat: Chat, model: ModelChoice, view: ChatView, permissions: Permissions, proposals: Proposals,
): void {
  const conversations = new Conversations(client, chat);
  const handlers: Record<string, (named: Named, path: string) => unknown> = {
    ask: () => view.focusInput(),
    stop: () => chat.stop(),
    resume: () => chat.resume(),
    newConversation: () => (chat.newConversation(), view.focusInput()),
    openConversation: () => conversations.choose(),
    chooseModel: () => model.choose(),
    showProposal: (proposal) => proposals.show(proposal),
    acceptProposal: (proposal) => proposals.accept(proposal),
    acceptPart: (proposal) => proposals.acceptPart(proposal),
    acceptFile: (proposal, path) => proposals.acceptFile(String(proposal), path),
    rejectProposal: (proposal) => proposals.reject(proposal),
    undoProposal: (proposal) => proposals.undo(proposal),
    redoProposal: (proposal) => proposals.redo(proposal),
    permissions: () => permissions.review(),
    restartServer: () => client.restart(),
  };
  for (const [name, run] of Object.entries(handlers)) {
    context.subscriptions.push(commands.registerCommand(`ploke.view.${name}`, reporting(run)));
  }
}

/** Shows the last conversation of this workspace. If it is gone, the error is shown only once. */
async function restore(context: ExtensionContext, chat: Chat): Promise<void> {
  const last = context.workspaceState.get<string>(lastConversation);
  if (!last || chat.conversationId) return;
  await context.workspaceState.update(lastConversation, undefined);
  await chat.open(last);
}

function remember(context: ExtensionContext, chat: Chat): void {
  void context.workspaceState.update(lastConversation, chat.conversationId);
  void commands.executeCommand("setContext", "ploke.running", chat.runningTitles.length > 0);
}
