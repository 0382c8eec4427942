// "Add a Model…": asks for a provider, its key and one of its models, tests the model,
// and saves all three. Nothing is saved before the model has answered.
import { ConfigurationTarget, ProgressLocation, type QuickPickItem, commands, window, workspace } from "vscode";
import type { Client } from "./client";
import type { ModelChoice } from "./model";
import { unlinked } from "./notification";
import { models, modelTest } from "./protocol";
import { type Draft, type Providers, type ProviderSettings, keyProblem, keyVariable } from "./providers";

interface Kind extends QuickPickItem {
  type: string;
  /** Whether it needs a key; "maybe" for a server of one's own. */
  key: "yes" | "maybe" | "no";
  /** Asks for the address, with this one to begin with. */
  address?: string;
}

const kinds: Kind[] = [
  { label: "OpenAI", type: "openai", key: "yes", description: "with a key of your account" },
  { label: "Anthropic", type: "anthropic", key: "yes", description: "with a key of your account" },
  { label: "OpenRouter", type: "openrouter", key: "yes", description: "models of many companies with one key" },
  { label: "Ollama", type: "ollama", key: "no", description: "models on your own machine, without a key", address: "http://127.0.0.1:11434" },
  { label: "Another server", type: "openai", key: "maybe", description: "anything compatible with OpenAI's API, by its address", address: "http://127.0.0.1:8080/v1" },
];

export class AddModel {
  constructor(
    private readonly client: Client,
    private readonly providers: Providers,
    private readonly choice: ModelChoice,
    private readonly running: () => boolean,
  ) {}

  async run(): Promise<void> {
    if (!(await this.mayRestart())) return;
    const draft = await this.ask();
    if (!draft) return;
    try {
      await this.start(draft);
      for (;;) {
        const model = await this.pickModel(draft);
        if (!model) return;
        const error = await this.test(model);
        if (error === undefined) return await this.save(model);
        if ((await explain(error, otherModel)) !== otherModel) return;
      }
    } finally {
      this.providers.try(undefined);
      await this.client.applySettings();
    }
  }

  /** Asks for another key of the provider whose model answers here. The server restarts with it. */
  async enterKey(): Promise<void> {
    const name = (this.choice.used ?? "").split("/", 1)[0] ?? "";
    const settings = this.providers.saved()[name];
    if (!settings) return void commands.executeCommand("workbench.action.openSettings", "ploke.providers");
    const key = await askKey(name, false);
    if (!key) return;
    this.providers.try({ name, settings: { ...settings, apiKeyEnv: keyVariable(name) }, key });
    await this.providers.save();
    await this.client.applySettings();
  }

  /** Lets the user remove a provider with its key. */
  async remove(): Promise<void> {
    const saved = Object.entries(this.providers.saved());
    if (saved.length === 0) return void window.showInformationMessage("ploke: no provider is in your settings.");
    const items = saved.map(([name, { type, baseUrl }]) => ({ label: name, description: type, detail: baseUrl }));
    const picked = await window.showQuickPick(items, { placeHolder: "Choose the provider whose models and key are removed" });
    if (!picked) return;
    const remove = "Remove";
    const sure = await window.showWarningMessage(`Remove the provider ${picked.label} and its key?`, { modal: true }, remove);
    if (sure !== remove) return;
    await this.providers.remove(picked.label);
    const of = `${picked.label}/`;
    const config = workspace.getConfiguration("ploke");
    if (config.get<string>("model")?.startsWith(of)) await config.update("model", undefined, ConfigurationTarget.Global);
    if (this.choice.model?.startsWith(of)) await this.choice.set(undefined);
  }

  /** Asks whether answers may be interrupted, since the server gets a key only when it starts. */
  private async mayRestart(): Promise<boolean> {
    if (!this.running()) return true;
    const go = "Interrupt and Continue";
    const text = "An answer is being written. The server restarts to get the key, which interrupts the answer.";
    return (await window.showWarningMessage(text, { modal: true }, go)) === go;
  }

  private async ask(): Promise<Draft | undefined> {
    const kind = await window.showQuickPick(kinds, { title: "Add a model (1/3)", placeHolder: "Where does the model run?", ignoreFocusOut: true });
    if (!kind) return undefined;
    const baseUrl = kind.address ? await askAddress(kind.address) : undefined;
    if (kind.address && !baseUrl) return undefined;
    const name = kind.key === "maybe" && baseUrl ? nameOf(baseUrl) : kind.type;
    const before = this.providers.saved()[name];
    if (before && !(await this.mayReplace(name, before))) return undefined;
    const key = kind.key === "no" ? "" : await askKey(kind.label, kind.key === "maybe");
    if (key === undefined) return undefined;
    const { apiKeyEnv: _, ...kept } = before ?? {};
    const settings: ProviderSettings = { ...kept, type: kind.type, ...(baseUrl && { baseUrl }), ...(key && { apiKeyEnv: keyVariable(name) }) };
    return { name, settings, key };
  }

  private async mayReplace(name: string, before: ProviderSettings): Promise<boolean> {
    if (before.apiKeyEnv === keyVariable(name)) return true;
    const replace = "Replace Its Key";
    const text = `Your settings have a provider ${name} already.`;
    return (await window.showWarningMessage(text, { modal: true }, replace)) === replace;
  }

  private async start(draft: Draft): Promise<void> {
    this.providers.try(draft);
    await window.withProgress({ location: ProgressLocation.Notification, title: `Connecting to ${draft.name}…` }, () => this.client.restart());
  }

  /** Lets the user choose a model of the provider, or type the name of one that it does not list. */
  private async pickModel(draft: Draft): Promise<string | undefined> {
    for (;;) {
      const { models: all, problems } = await this.client.request(models, {});
      const problem = problems.find(({ provider }) => provider === draft.name);
      const answer = problem && (await explain(problem.error, ...(draft.settings.apiKeyEnv ? [otherKey, typedModel] : [typedModel])));
      if (!problem || answer === typedModel) {
        const names = all.flatMap(({ id }) => (id.startsWith(`${draft.name}/`) ? [id.slice(draft.name.length + 1)] : []));
        const name = await chooseOrType(names);
        return name && `${draft.name}/${name}`;
      }
      const key = answer === otherKey ? await askKey(draft.name, false) : undefined;
      if (!key) return undefined;
      await this.start({ ...draft, key });
    }
  }

  /** Sends a tiny request. Returns what is wrong with the model, undefined if it has answered. */
  private async test(model: string): Promise<string | undefined> {
    const result = await window.withProgress(
      { location: ProgressLocation.Notification, title: `Testing ${model}…` }, () => this.client.request(modelTest, { model }),
    );
    return result.ok ? undefined : (result.error ?? "");
  }

  private async save(model: string): Promise<void> {
    await this.providers.save();
    const config = workspace.getConfiguration("ploke");
    if (["", "embedded"].includes(config.get("model", ""))) await config.update("model", model, ConfigurationTarget.Global);
    await this.choice.set(model);
    void window.showInformationMessage(`${model} answered, and is the model of this window now.`);
  }
}

const otherKey = "Enter Another Key";
const otherModel = "Choose Another Model";
const typedModel = "Type a Model's Name";

/** Shows an error and returns the chosen way out. */
async function explain(error: string, ...ways: string[]): Promise<string | undefined> {
  return window.showErrorMessage(unlinked(error), { modal: true, detail: "Nothing was saved." }, ...ways);
}

async function askAddress(value: string): Promise<string | undefined> {
  const address = await window.showInputBox({
    title: "Add a model (2/3)", prompt: "The server's address; for a server compatible with OpenAI's API it usually ends in /v1", value, ignoreFocusOut: true,
    validateInput: (typed) => (/^https?:\/\/[^\s/]+/.test(typed.trim()) ? undefined : "An address begins with http:// or https://"),
  });
  return address?.trim().replace(/\/+$/, "");
}

/** Returns "" if the user gives none to a server that may need none, undefined if the user has left. */
async function askKey(label: string, optional: boolean): Promise<string | undefined> {
  const typed = await window.showInputBox({
    title: "The key of a model", password: true, ignoreFocusOut: true,
    prompt: `The API key for ${label}${optional ? "; leave it empty if it needs none" : ""}. VS Code keeps it in its secret storage.`,
    validateInput: (value) => (optional && !value ? undefined : keyProblem(value)),
  });
  return typed?.trim();
}

/** The name of a server's provider in the settings. */
function nameOf(address: string): string {
  return new URL(address).host.replace(/[^A-Za-z0-9]+/g, "-");
}

function chooseOrType(names: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const pick = window.createQuickPick();
    pick.title = "Add a model (3/3)";
    pick.placeholder = names.length > 0 ? "Choose a model, or type its name" : "Type the name of a model";
    pick.ignoreFocusOut = true;
    const items = names.map((label): QuickPickItem => ({ label }));
    pick.items = items;
    pick.onDidChangeValue((value) => {
      const typed = value.trim();
      const known = !typed || names.includes(typed);
      pick.items = known ? items : [...items, { label: typed, description: "as typed", alwaysShow: true }];
    });
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.label);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
