// Owns the language client: starts, restarts and stops the server, and sends all
// requests. A server that crashes is started again, with growing pauses.
import { setTimeout as delay } from "node:timers/promises";
import { type CancellationToken, type Disposable, EventEmitter, type LogOutputChannel, window, workspace } from "vscode";
import type { ProgressToken, ProgressType, RequestType } from "vscode-languageclient/node";
import { AcceptedFiles } from "./acceptedFiles";
import { BackOff } from "./backOff";
import { type Handlers, Connection } from "./connection";
import { EditorState } from "./editorState";
import { NotRunningError, messageOf, reporting } from "./errors";
import type { LastCommand } from "./lastCommand";
import type { Attachment, Event, PermissionAskParams } from "./protocol";
import type { Providers } from "./providers";
import type { ServerHealth } from "./serverHealth";
import { findServer } from "./serverPath";
import { type ServerEnd, ServerProcess } from "./serverProcess";
import { startSections, startSettings } from "./settings";
import type { Answer } from "./webviewMessages";

/** A server that has not answered initialize by then does not work. It opens its databases later. */
const startTimeoutMs = 20_000;
/** How long a process may take to end after its output has ended. */
const endMs = 1000;

export class Client implements Disposable {
  private readonly events = new EventEmitter<Event>();
  private readonly running = new EventEmitter<boolean>();
  private readonly healthEmitter = new EventEmitter<ServerHealth>();
  private readonly editorState = new EditorState();
  private readonly accepted = new AcceptedFiles();
  private readonly backOff = new BackOff();
  private readonly log: LogOutputChannel = window.createOutputChannel("ploke", { log: true });
  private readonly subscriptions: Disposable[];
  private currentHealth: ServerHealth = { state: "stopped" };
  private server: ServerProcess | undefined;
  private connection: Connection | undefined;
  private startedWith = "";
  private nextStart: NodeJS.Timeout | undefined;
  private transition: Promise<void> = Promise.resolve();

  /** Asks the user for permission. The token is cancelled when the request needs no answer any more. */
  askPermission: (question: PermissionAskParams, token: CancellationToken) => Promise<Answer> = async () => "rejectOnce";

  /** Lets the user ask about what a code action attaches. */
  askAbout: (attachment: Attachment) => Promise<void> = async () => {};

  /** Notifications of the server. */
  readonly onEvent = this.events.event;
  /** Fires true when the server has started, false when it has stopped for any reason. */
  readonly onRunning = this.running.event;
  readonly onHealth = this.healthEmitter.event;

  constructor(
    private readonly extensionPath: string,
    private readonly providers: Providers,
    private readonly lastCommand: LastCommand,
  ) {
    this.subscriptions = [
      this.events,
      this.running,
      this.healthEmitter,
      this.editorState,
      this.accepted,
      this.events.event((event) => event.type === "proposal" && this.accepted.settled(event.status)),
      this.log,
      providers.onKeyChange(() => void reporting(() => this.restart())()),
      workspace.onDidChangeConfiguration((change) => {
        if (startSections.some((section) => change.affectsConfiguration(section))) void reporting(() => this.applySettings())();
      }),
    ];
  }

  get health(): ServerHealth {
    return this.currentHealth;
  }

  /** Whether the server answers the ploke/* requests. If it speaks other versions of them, it says so itself. */
  get answers(): boolean {
    return this.connection?.answers ?? false;
  }

  start(): Promise<void> {
    return this.inTurn(() => this.launch());
  }

  stop(): Promise<void> {
    this.abandonStart();
    return this.inTurn(() => this.quit());
  }

  /** Starts the server anew, as a person wants it: crashes of the past don't count. */
  restart(): Promise<void> {
    this.backOff.reset();
    this.abandonStart();
    return this.inTurn(async () => {
      await this.quit();
      await this.launch();
    });
  }

  /** Restarts the server if it was started with other settings. */
  applySettings(): Promise<void> {
    return this.inTurn(async () => {
      if (this.currentHealth.state === "running" && this.startedWith === this.startInput()) return;
      this.backOff.reset();
      await this.quit();
      await this.launch();
    });
  }

  /** Resolves when no start or stop is under way. */
  settled(): Promise<void> {
    return this.transition;
  }

  /** Waits until the server runs, if it is about to. */
  async ready(): Promise<void> {
    for (let last; last !== this.transition;) {
      last = this.transition;
      await last;
    }
    while (this.isAboutToRun) {
      await new Promise<void>((resolve) => {
        const subscription = this.onHealth(() => (subscription.dispose(), resolve()));
      });
    }
  }

  /** Whether a start is due: also while the connection has ended, and the process is about to. */
  private get isAboutToRun(): boolean {
    const { state } = this.currentHealth;
    return state === "starting" || state === "crashed" || (state === "running" && this.connection?.running === false);
  }

  async request<P, R>(type: RequestType<P, R, void>, params: P, token?: CancellationToken): Promise<R> {
    await this.ready();
    if (!this.connection?.running) throw new NotRunningError();
    return this.connection.request(type, params, token);
  }

  /** Calls handler for each partial result under token, until disposed. */
  onProgress<P>(type: ProgressType<P>, token: ProgressToken, handler: (part: P) => void): Disposable {
    return this.connection?.onProgress(type, token, handler) ?? { dispose: () => {} };
  }

  showLog(): void {
    this.log.show();
  }

  dispose(): void {
    clearTimeout(this.nextStart);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Runs starts and stops one after another. */
  private inTurn(step: () => Promise<void>): Promise<void> {
    this.transition = this.transition.then(step, step);
    return this.transition;
  }

  private startInput(): string {
    return JSON.stringify([workspace.getConfiguration("ploke").get("serverPath"), startSettings(this.providers.all())]);
  }

  private async launch(): Promise<void> {
    clearTimeout(this.nextStart);
    if (this.server) return;
    const found = findServer(this.extensionPath);
    if ("missing" in found) return this.setHealth({ state: "missing", reason: found.missing });
    this.setHealth({ state: "starting" });
    this.startedWith = this.startInput();
    this.log.info(`starting ${found.path}`);
    const server = new ServerProcess(found.path, await this.providers.environment());
    const connection = new Connection(server, startSettings(this.providers.all()), this.log, this.handlers(server));
    this.server = server;
    this.connection = connection;
    void server.ended.then((end) => this.lost(server, end));
    const limit = setTimeout(
      () => server.reject(`${found.path} was started, but has not answered within ${startTimeoutMs / 1000} s.`), startTimeoutMs,
    );
    try {
      await connection.start();
      this.setHealth({ state: "running" });
    } catch (error) {
      const ended = await Promise.race([server.ended, delay(endMs)]);
      if (!ended) server.reject(`ploke-lsp did not start: ${messageOf(error)}.`);
      await server.ended;
    } finally {
      clearTimeout(limit);
    }
  }

  private handlers(server: ServerProcess): Handlers {
    return {
      event: (sent) => this.events.fire(sent),
      running: (runs) => this.running.fire(runs),
      garbage: (error) => server.reject(`What ploke-lsp prints is not the language server protocol: ${error.message}.`),
      askPermission: (question, token) => this.askPermission(question, token),
      askAbout: reporting((attachment) => this.askAbout(attachment)),
      editorState: this.editorState,
      lastCommand: this.lastCommand,
      accepted: this.accepted,
    };
  }

  /** Handles the end of a server that nobody has stopped. */
  private lost(server: ServerProcess, { reason, final }: ServerEnd): void {
    if (this.server !== server) return;
    this.forget();
    this.log.error(reason);
    const seconds = final ? undefined : this.backOff.next();
    if (seconds === undefined) {
      const often = final ? "" : " It has stopped too often within three minutes, and is not started again.";
      return this.setHealth({ state: "failed", reason: reason + often });
    }
    this.setHealth({ state: "crashed", reason, seconds });
    this.nextStart = setTimeout(() => void this.start(), seconds * 1000);
  }

  private forget(): void {
    this.server = undefined;
    this.connection = undefined;
  }

  /** Ends a server that is still starting, so that nobody waits for it. */
  private abandonStart(): void {
    if (this.currentHealth.state !== "starting") return;
    this.server?.kill();
    this.forget();
  }

  private async quit(): Promise<void> {
    clearTimeout(this.nextStart);
    const { connection, server } = this;
    this.forget();
    await connection?.stop();
    server?.kill();
    this.setHealth({ state: "stopped" });
  }

  private setHealth(health: ServerHealth): void {
    this.currentHealth = health;
    this.healthEmitter.fire(health);
  }
}
