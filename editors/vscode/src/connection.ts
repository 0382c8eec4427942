// The language client of one server process. It speaks LSP, and reports its end only
// through the process.
import type { Disposable, LogOutputChannel } from "vscode";
import {
  CancellationToken, type ClientCapabilities, CloseAction, DidChangeConfigurationNotification, ErrorAction, LanguageClient, type LanguageClientOptions,
  type ProgressToken, type ProgressType, type RequestType, State,
} from "vscode-languageclient/node";
import type { AcceptedFiles } from "./acceptedFiles";
import { answerWithModel, editorModels } from "./editorModels";
import { type EditorState, diagnosticsOf } from "./editorState";
import type { LastCommand } from "./lastCommand";
import { askLSP, isAsking, lspServers } from "./lspBridge";
import {
  type AskParams, type Attachment, type Capabilities, type Event, type PermissionAskParams, clientAsk, clientDiagnostics, clientModelSend, clientModels,
  clientServers, clientState, clientTerminal, commandAsk, event, modelPart, oldestVersion, permissionAsk, version,
} from "./protocol";
import type { ServerProcess } from "./serverProcess";
import { liveSettings } from "./settings";
import type { Answer } from "./webviewMessages";

/** What the client does with what the server sends. */
export interface Handlers {
  event(sent: Event): void;
  /** Gets true when the server has started, false when it has stopped for any reason. */
  running(runs: boolean): void;
  /** Gets the error of output that can't be read. */
  garbage(error: Error): void;
  askPermission(question: PermissionAskParams, token: CancellationToken): Promise<Answer>;
  /** Gets what a code action attaches to a question that the user has not written yet. */
  askAbout(attachment: Attachment): Promise<void>;
  editorState: EditorState;
  lastCommand: LastCommand;
  accepted: AcceptedFiles;
}

/** A language client that writes its errors only to the log: the chat shows them. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Connection {
  private readonly client: LanguageClient;

  constructor(server: ServerProcess, initializationOptions: object, outputChannel: LogOutputChannel, handlers: Handlers) {
    const options: LanguageClientOptions = {
      documentSelector: [{ scheme: "file" }],
      initializationOptions,
      outputChannel,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: (error, message) => {
          if (!message && !isOfSystem(error)) handlers.garbage(error); // else it could not be written, since the process has ended
          return { action: ErrorAction.Continue, handled: true };
        },
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
      },
      middleware: {
        executeCommand: (command, args, next) => {
          const { text, attachment }: AskParams = command === commandAsk ? { ...args[0] } : {};
          return attachment && !text ? handlers.askAbout(attachment) : next(command, args);
        },
        provideCodeActions: (document, range, context, token, next) => (isAsking() ? [] : next(document, range, context, token)),
        // The extension draws the lenses of code by itself. VS Code shows none until all providers have answered.
        provideCodeLenses: (document, token, next) => (document.languageId === "markdown" ? next(document, token) : []),
        workspace: {
          handleApplyEdit: (params, next) => handlers.accepted.apply(params, (plain) => next(plain, CancellationToken.None)),
          configuration: ({ items }) => items.map(liveSettings),
          didChangeConfiguration: () =>
            client.sendNotification(DidChangeConfigurationNotification.type, { settings: { ploke: liveSettings() } }),
        },
      },
    };
    const client: LanguageClient = new QuietClient("ploke", "ploke", async () => server.child, options);
    this.client = client;
    client.registerFeature({ fillClientCapabilities, initialize: () => {}, getState: () => ({ kind: "static" }), clear: () => {} });
    client.onNotification(event, (sent) => handlers.event(sent));
    client.onRequest(permissionAsk, async (question, token) => ({ answer: await handlers.askPermission(question, token) }));
    client.onRequest(clientDiagnostics, ({ uri }) => diagnosticsOf(uri, client.code2ProtocolConverter));
    client.onRequest(clientState, () => handlers.editorState.state(client.code2ProtocolConverter));
    client.onRequest(clientTerminal, () => handlers.lastCommand.whole());
    client.onRequest(clientModels, () => editorModels());
    client.onRequest(clientModelSend, (request, token) =>
      answerWithModel(request, (part) => client.sendNotification(modelPart, part), token));
    client.onRequest(clientServers, ({ uri }) => lspServers(uri));
    client.onRequest(clientAsk, (params, token) => askLSP(params, client, token));
    client.onDidChangeState(({ newState }) => {
      if (newState !== State.Starting) handlers.running(newState === State.Running);
    });
  }

  get running(): boolean {
    return this.client.isRunning();
  }

  get answers(): boolean {
    const experimental = this.client.initializeResult?.capabilities.experimental as { ploke?: Capabilities } | undefined;
    return (experimental?.ploke?.methods.length ?? 0) > 0;
  }

  start(): Promise<void> {
    return this.client.start();
  }

  async stop(): Promise<void> {
    if (this.client.isRunning()) await this.client.dispose();
  }

  request<P, R>(type: RequestType<P, R, void>, params: P, token?: CancellationToken): Promise<R> {
    return token ? this.client.sendRequest<R>(type.method, params, token) : this.client.sendRequest<R>(type.method, params);
  }

  onProgress<P>(type: ProgressType<P>, token: ProgressToken, handler: (part: P) => void): Disposable {
    return this.client.onProgress(type, token, handler);
  }
}

/** Whether a pipe has failed, such as that of a process that has just ended. */
function isOfSystem(error: NodeJS.ErrnoException): boolean {
  return error.syscall !== undefined;
}

function fillClientCapabilities(capabilities: ClientCapabilities): void {
  const methods = [
    event, permissionAsk, clientDiagnostics, clientState, clientTerminal, clientModels, clientModelSend, clientServers, clientAsk,
  ].map(({ method }) => method);
  const ploke: Capabilities = { version, oldest: oldestVersion, methods };
  capabilities.experimental = { ...(capabilities.experimental as object | undefined), ploke };
}
