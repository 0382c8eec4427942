// The extension's entry point: creates the parts, connects them and registers the
// commands. The server does everything else.
import { type ExtensionContext, commands, env, window, workspace } from "vscode";
import { AddModel } from "./addModel";
import { Chat } from "./chat";
import { Client } from "./client";
import { Conversations } from "./conversations";
import { Documents } from "./documents";
import { reporting } from "./errors";
import { Guide } from "./guide";
import { ModelChoice } from "./model";
import { Permissions } from "./permissions";
import { ProposalFiles, proposalScheme } from "./proposalFiles";
import { type Named, Proposals } from "./proposals";
import { Providers } from "./providers";
import { Status } from "./status";
import { ChatView, viewId } from "./chatView";

const lastConversation = "lastConversation";

let client: Client | undefined;

export function activate(context: ExtensionContext): void {
  const providers = new Providers(context.secrets);
  client = new Client(context.extensionPath, providers);
  const model = new ModelChoice(client, context.workspaceState);
  const chat = new Chat(client, model);
  const permissions = new Permissions(client, chat);
  const guide = new Guide(client, model, (text) => chat.send(text, false));
  const view = new ChatView(context, chat, permissions, guide);
  const files = new ProposalFiles(client);
  context.subscriptions.push(
    providers,
    client,
    guide,
    model,
    chat,
    permissions,
    view,
    new Status(client, chat, model),
    window.registerWebviewViewProvider(viewId, view),
    files,
    workspace.registerFileSystemProvider(proposalScheme, files, { isCaseSensitive: true }),
    files.onSave((proposal) => chat.proposalChanged(proposal)),
    chat.onChange(() => remember(context, chat)),
    client.onRunning((running) => running && client?.answers && void reporting(restore)(context, chat)),
  );
  registerCommands(context, client, chat, model, view, permissions, new Proposals(client, files));
  registerFirstSteps(context, client, new AddModel(client, providers, model, () => chat.runningTitles.length > 0));
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
  };
  register(context, handlers);
}

/** Registers the commands of the server, its models and its documents. */
function registerFirstSteps(context: ExtensionContext, client: Client, addModel: AddModel): void {
  const documents = new Documents(client);
  context.subscriptions.push(documents);
  register(context, {
    addModel: () => addModel.run(),
    removeModel: () => addModel.remove(),
    doctor: () => documents.showDoctor(),
    ledger: () => documents.showLedger(),
    restartServer: () => client.restart(),
    showLog: () => client.showLog(),
    openServerSettings: () => commands.executeCommand(
      env.remoteName ? "workbench.action.openRemoteSettings" : "workbench.action.openSettings", { query: "ploke.serverPath" },
    ),
    installHelp: () => commands.executeCommand("extension.open", context.extension.id),
  });
}

function register(context: ExtensionContext, handlers: Record<string, (...args: never[]) => unknown>): void {
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
