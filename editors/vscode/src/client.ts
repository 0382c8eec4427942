// Owns the language client: starts, restarts and stops the server, and sends all
// requests.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type CancellationToken, type Disposable, EventEmitter, commands, window, workspace } from "vscode";
import {
  type ClientCapabilities,
  DidChangeConfigurationNotification,
  LanguageClient,
  type ProgressToken,
  type ProgressType,
  type RequestType,
  State,
} from "vscode-languageclient/node";
import { reporting } from "./errors";
import type { Answer } from "./webviewMessages";
import {
  type AskParams, type Attachment, type Capabilities, type Event, type PermissionAskParams, clientDiagnostics, clientState, commandAsk, event,
  oldestVersion, permissionAsk, version,
} from "./protocol";
import { liveSettings, startSections, startSettings } from "./settings";
import { EditorState, diagnosticsOf } from "./editorState";

export class Client implements Disposable {
  private readonly events = new EventEmitter<Event>();
  private readonly running = new EventEmitter<boolean>();
  private readonly editorState = new EditorState();
  private readonly subscriptions: Disposable[];
  private client: LanguageClient | undefined;
  private transition: Promise<void> = Promise.resolve();

  /** Asks the user for permission. The token is cancelled when the request needs no answer any more. */
  askPermission: (question: PermissionAskParams, token: CancellationToken) => Promise<Answer> = async () => "rejectOnce";

  /** Lets the user ask about what a code action attaches. */
  askAbout: (attachment: Attachment) => Promise<void> = async () => {};

  /** Notifications of the server. */
  readonly onEvent = this.events.event;
  /** Fires true when the server has started, false when it has stopped for any reason. */
  readonly onRunning = this.running.event;

  constructor() {
    this.subscriptions = [
      this.events,
      this.running,
      this.editorState,
      workspace.onDidChangeConfiguration((change) => {
        if (startSections.some((section) => change.affectsConfiguration(section))) void reporting(() => this.restart())();
      }),
    ];
  }

  /** Whether the server answers the ploke/* requests. If it speaks other versions of them, it says so itself. */
  get answers(): boolean {
    const experimental = this.client?.initializeResult?.capabilities.experimental as { ploke?: Capabilities } | undefined;
    return (experimental?.ploke?.methods.length ?? 0) > 0;
  }

  start(): Promise<void> {
    return this.inTurn(() => this.launch());
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.quit());
  }

  /** Resolves when no start or stop is under way. */
  settled(): Promise<void> {
    return this.transition;
  }

  restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.quit();
      await this.launch();
    });
  }

  async request<P, R>(type: RequestType<P, R, void>, params: P, token?: CancellationToken): Promise<R> {
    if (!this.client?.isRunning()) throw new Error("the server does not run; try the command “ploke: Restart Server”");
    if (!token) return this.client.sendRequest<R>(type.method, params);
    return this.client.sendRequest<R>(type.method, params, token);
  }

  /** Calls handler for each partial result under token, until disposed. */
  onProgress<P>(type: ProgressType<P>, token: ProgressToken, handler: (part: P) => void): Disposable {
    return this.client?.onProgress(type, token, handler) ?? { dispose: () => {} };
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Runs starts and stops one after another. */
  private inTurn(step: () => Promise<void>): Promise<void> {
    this.transition = this.transition.then(step, step);
    return this.transition;
  }

  private async launch(): Promise<void> {
    const command = findServer();
    if (!command) return void explainMissingServer();
    const client: LanguageClient = new LanguageClient("ploke", "ploke", { command }, {
      documentSelector: [{ scheme: "file" }],
      initializationOptions: startSettings(),
      middleware: {
        executeCommand: (command, args, next) => {
          const { text, attachment }: AskParams = command === commandAsk ? { ...args[0] } : {};
          return attachment && !text ? reporting(this.askAbout)(attachment) : next(command, args);
        },
        workspace: {
          configuration: ({ items }) => items.map(liveSettings),
          didChangeConfiguration: () =>
            client.sendNotification(DidChangeConfigurationNotification.type, { settings: { ploke: liveSettings() } }),
        },
      },
    });
    client.registerFeature({
      fillClientCapabilities,
      initialize: () => {},
      getState: () => ({ kind: "static" }),
      clear: () => {},
    });
    client.onNotification(event, (sent) => this.events.fire(sent));
    client.onRequest(permissionAsk, async (question, token) => ({ answer: await this.askPermission(question, token) }));
    client.onRequest(clientDiagnostics, ({ uri }) => diagnosticsOf(uri, client.code2ProtocolConverter));
    client.onRequest(clientState, () => this.editorState.state(client.code2ProtocolConverter));
    client.onDidChangeState(({ newState }) => {
      if (newState !== State.Starting) this.running.fire(newState === State.Running);
    });
    this.client = client;
    await client.start();
  }

  private async quit(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.isRunning()) await client.dispose();
  }
}

function fillClientCapabilities(capabilities: ClientCapabilities): void {
  const methods = [event, permissionAsk, clientDiagnostics, clientState].map(({ method }) => method);
  const ploke: Capabilities = { version, oldest: oldestVersion, methods };
  capabilities.experimental = { ...(capabilities.experimental as object | undefined), ploke };
}

/** Returns the server's executable: the setting, else PLOKE_LSP, else ploke-lsp on the PATH. */
function findServer(): string | undefined {
  const named = serverPath();
  if (named) return isExecutable(named) ? named : undefined;
  const name = process.platform === "win32" ? "ploke-lsp.exe" : "ploke-lsp";
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function serverPath(): string | undefined {
  return workspace.getConfiguration("ploke").get<string>("serverPath") || process.env["PLOKE_LSP"];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function explainMissingServer(): Promise<void> {
  const named = serverPath();
  const problem = named ? `There is no executable at ${named}.` : "ploke-lsp is not on the PATH.";
  const openSettings = "Open Settings";
  const answer = await window.showErrorMessage(
    `${problem} Install ploke-lsp, or set ploke.serverPath to where it is.`,
    openSettings,
  );
  if (answer === openSettings) await commands.executeCommand("workbench.action.openSettings", "ploke.serverPath");
}
