// The extension's entry point: creates the parts, connects them and registers the
// commands. The server does everything else.
import { type ExtensionContext, type TestItem, type Uri, commands, env, window } from "vscode";
import { AddModel } from "./addModel";
import { Branches } from "./branches";
import { Chat } from "./chat";
import { Client } from "./client";
import { Composer } from "./composer";
import { Conversations } from "./conversations";
import { Documents } from "./documents";
import { Doors, type Failure, followCommands } from "./doors";
import { isDisconnected, reporting } from "./errors";
import { Guide } from "./guide";
import { registerHostTools } from "./hostTools";
import { LastCommand } from "./lastCommand";
import { ModelChoice } from "./model";
import { NativePlaces } from "./nativePlaces";
import { Permissions } from "./permissions";
import type { Named, Proposals } from "./proposals";
import { Providers } from "./providers";
import { startReview } from "./reviewParts";
import { SelectionChip } from "./selection";
import { addCommand } from "./slashCommands";
import { Status } from "./status";
import { ChatView, panelId, viewId } from "./chatView";

const lastConversation = "lastBranch";

let client: Client | undefined;

export function activate(context: ExtensionContext): void {
  const providers = new Providers(context.secrets);
  const lastCommand = new LastCommand();
  client = new Client(context.extensionPath, providers, lastCommand);
  const model = new ModelChoice(client, context.workspaceState);
  const chat = new Chat(client, model);
  const permissions = new Permissions(client, chat);
  const branches = new Branches(client, chat);
  const selection = new SelectionChip(context.workspaceState);
  const composer = new Composer(client, chat, branches, model, selection, context.workspaceState);
  const guide = new Guide(client, model, (text) => chat.send({ text, attachments: [] }, false));
  const { review, proposals, reviewBar, parts } = startReview(client);
  const view = new ChatView(context, client, chat, branches, composer, permissions, guide, reviewBar);
  const places = new NativePlaces(composer, () => view.focusInput());
  client.askAbout = (attachment) => places.askAbout(attachment);
  context.subscriptions.push(
    providers,
    lastCommand,
    client,
    guide,
    model,
    chat,
    permissions,
    branches,
    selection,
    composer,
    view,
    new Status(client, chat, model),
    window.registerWebviewViewProvider(viewId, view, { webviewOptions: { retainContextWhenHidden: true } }),
    window.registerWebviewPanelSerializer(panelId, view),
    ...parts,
    review.onConflicts((proposal) => chat.proposalChanged(proposal)),
    chat.onChange(() => remember(context, chat)),
    client.onRunning((running) => running && client?.answers && void reporting(restore)(context, chat)),
  );
  registerCommands(context, client, chat, model, view, permissions, proposals);
  const doors = new Doors(client, chat, model, () => view.reveal());
  context.subscriptions.push(followCommands(lastCommand), ...registerHostTools(client, context.extensionPath, context.extension.packageJSON.version));
  register(context, {
    openChatInEditor: () => view.openInEditor(),
    openChatInWindow: () => view.openInWindow(),
    openChatInView: () => view.openInView(),
    changeHere: () => doors.changeHere(),
    commitMessage: (of?: { rootUri?: Uri }) => doors.writeCommitMessage(of),
    reviewChanges: (group?: { id?: string }) => doors.reviewChanges(group),
    fixTest: (failure?: Failure | TestItem) => doors.fixTest(failure),
    explainCommand: () => doors.explainCommand(),
    fixCommand: () => doors.fixCommand(),
    attach: (clicked?: Uri, chosen?: Uri[]) => places.attachFiles(clicked, chosen),
    askSelection: () => places.askAboutSelection(),
    askTerminal: () => places.askAboutTerminal(),
  });
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
  register(context, {
    ask: () => view.focusInput(),
    stop: () => chat.stop(),
    resume: () => chat.resume(),
    newConversation: () => (chat.newConversation(), view.focusInput()),
    openConversation: () => conversations.choose(),
    chooseModel: () => model.choose(),
    showProposal: (proposal: Named) => proposals.show(proposal),
    acceptProposal: (proposal: Named, version?: string) => proposals.accept(proposal, textOf(version)),
    showFile: (proposal: Named, file: string) => proposals.showFile(String(proposal), file),
    acceptFile: (proposal: Named, file: string, version?: string) => proposals.acceptFile(String(proposal), file, version),
    rejectFile: (proposal: Named, file: string, version?: string) => proposals.rejectFile(String(proposal), file, version),
    resolveFile: (proposal: Named, file: string) => commands.executeCommand("ploke.view.review.resolve", { proposal, file }),
    rejectProposal: (proposal: Named, version?: string) => proposals.reject(proposal, textOf(version)),
    undoProposal: (proposal: Named, version?: string) => proposals.undo(proposal, textOf(version)),
    redoProposal: (proposal: Named, version?: string) => proposals.redo(proposal, textOf(version)),
    permissions: () => permissions.review(),
  });
}

/** Registers the commands of the server, its models and its documents. */
function registerFirstSteps(context: ExtensionContext, client: Client, addModel: AddModel): void {
  const documents = new Documents(client);
  context.subscriptions.push(documents);
  register(context, {
    addModel: () => addModel.run(),
    removeModel: () => addModel.remove(),
    enterKey: () => addModel.enterKey(),
    addCommand: () => addCommand(client),
    help: () => commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#start`, false),
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

/** Registers commands. VS Code decides what arguments they get. */
function register(context: ExtensionContext, handlers: Record<string, (...args: any[]) => unknown>): void {
  for (const [name, run] of Object.entries(handlers)) {
    context.subscriptions.push(commands.registerCommand(`ploke.view.${name}`, reporting(run)));
  }
}

/** Shows the last branch of this workspace. If it is gone, the error is shown only once; if the server is, the next one is asked. */
async function restore(context: ExtensionContext, chat: Chat): Promise<void> {
  const last = context.workspaceState.get<LastBranch>(lastConversation);
  if (!last || chat.conversationId) return;
  try {
    await chat.restore(last.id, last.leaf);
  } catch (error) {
    if (isDisconnected(error)) return;
    await context.workspaceState.update(lastConversation, undefined);
    throw error;
  }
}

interface LastBranch {
  id: string;
  leaf?: string;
}

function remember(context: ExtensionContext, chat: Chat): void {
  const { id, leaf } = chat.shown;
  const last: LastBranch | undefined = id ? { id, ...(leaf && { leaf }) } : undefined;
  void context.workspaceState.update(lastConversation, last);
  void commands.executeCommand("setContext", "ploke.running", chat.runningTitles.length > 0);
}

/** Menus give commands a second argument of their own: the list of what is selected. */
function textOf(argument: unknown): string | undefined {
  return typeof argument === "string" ? argument : undefined;
}
