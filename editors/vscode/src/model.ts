// The model that answers in this window. The user chooses it, and it goes along with
// each message. Until then the server's settings decide.
import { type Disposable, EventEmitter, type Memento, type QuickPickItem, commands, window } from "vscode";
import type { Client } from "./client";
import { inBackground, reporting } from "./errors";
import { type Model, modelChoose, modelDefault, models } from "./protocol";

const key = "model";

interface Item extends QuickPickItem {
  model: string | undefined;
  efforts?: string[];
}

const addModel: Item = {
  model: undefined, label: "$(add) Add a Model…", description: "from a provider, with its key, or on this machine", alwaysShow: true,
};

export class ModelChoice implements Disposable {
  private readonly changeEmitter = new EventEmitter<void>();

  /** Fires when another model answers. */
  readonly onChange = this.changeEmitter.event;

  private readonly subscription: Disposable;
  private standard: string | undefined;

  constructor(
    private readonly client: Client,
    private readonly state: Memento,
  ) {
    this.subscription = client.onRunning((running) => running && client.answers && void this.readStandard());
  }

  /** The model that answers; undefined until the server has said what its settings say. */
  get used(): string | undefined {
    return this.model ?? this.standard;
  }

  /** The chosen model, "embedded" or PROVIDER/MODEL; undefined for the settings' own. */
  get model(): string | undefined {
    return this.state.get<string>(key);
  }

  /** Lets the user choose a model, or type the name of one that its provider does not list. */
  async choose(): Promise<void> {
    const listed = await this.list();
    const pick = window.createQuickPick<Item>();
    pick.placeholder = "Choose the model that answers in this window, or type PROVIDER/MODEL";
    pick.items = [...listed, addModel];
    const subscriptions: Disposable[] = [
      pick,
      // A typed name comes before "Add a Model…", so that Enter chooses it, and after what is listed, whose places VS Code knows.
      pick.onDidChangeValue((value) => (pick.items = [...listed, ...typed(value.trim(), listed), addModel])),
      pick.onDidAccept(reporting(async () => {
        const [item] = pick.selectedItems;
        pick.hide();
        if (item === addModel) await commands.executeCommand("ploke.view.addModel");
        else if (item) await this.chooseEffort(item);
      })),
      pick.onDidHide(() => subscriptions.forEach((subscription) => void subscription.dispose())),
    ];
    pick.show();
  }

  /** Lets the user choose how long the model reasons, where it has words for that. */
  private async chooseEffort({ model, efforts = [] }: Item): Promise<void> {
    if (!model || !efforts.length) return this.set(model);
    const items = [{ name: model, label: "As the model does by default" }, ...efforts.map((effort) => ({ name: `${model}#${effort}`, label: effort }))]
      .map((item) => ({ ...item, label: mark(item.name === this.model) + item.label }));
    const chosen = await window.showQuickPick(items, { title: model, placeHolder: "Choose how long it reasons before it answers" });
    if (chosen) await this.set(chosen.name);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changeEmitter.dispose();
  }

  async set(model: string | undefined): Promise<void> {
    await this.state.update(key, model);
    this.changeEmitter.fire();
    await this.tellServer();
  }

  /** Lets the chosen model answer code actions, too. */
  private tellServer(): Promise<unknown> {
    return this.client.request(modelChoose, this.model ? { model: this.model } : {});
  }

  private readonly readStandard = inBackground(async () => {
    await this.tellServer();
    this.standard = (await this.client.request(modelDefault, {})).model;
    this.changeEmitter.fire();
  });

  private async list(): Promise<Item[]> {
    const { default: standard, models: all, problems } = await this.client.request(models, {});
    const items = all.map((model): Item => {
      const effort = this.model === undefined ? undefined : model.efforts?.find((word) => this.model === `${model.id}#${word}`);
      return {
        model: model.id, efforts: model.efforts, label: mark(!!effort || model.id === this.model) + model.id,
        description: [effort && `effort: ${effort}`, describe(model)].filter(Boolean).join(" · "),
      };
    });
    const broken = problems.map(({ provider, error }): Item => ({
      model: this.model, label: `$(warning) ${provider}`, description: "does not list its models", detail: error, alwaysShow: true,
    }));
    const unlisted = [this.model].filter((model) => model && all.every(({ id, efforts = [] }) => id !== model && efforts.every((word) => `${id}#${word}` !== model)))
      .map((model): Item => ({ model, label: mark(true) + model, description: "chosen; its provider does not list it" }));
    return [{ model: undefined, label: mark(!this.model) + "As the settings say", description: standard }, ...unlisted, ...items, ...broken];
  }
}

function mark(chosen: boolean): string {
  return chosen ? "$(check) " : "";
}

function typed(value: string, listed: Item[]): Item[] {
  if (!/^[^/\s]+\/\S+$/.test(value) || listed.some(({ model }) => model === value)) return [];
  return [{ model: value, label: value, description: "as typed", alwaysShow: true }];
}

function describe({ contextTokens, price, tools }: Model): string {
  return [
    contextTokens ? `${Math.round(contextTokens / 1000)} k tokens` : "",
    price ? `$${price.in} in, $${price.out} out per million` : "",
    tools ? "" : "no tools",
  ].filter(Boolean).join(" · ");
}
