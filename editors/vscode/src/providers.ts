// The model providers of the user's settings, and their keys. A key that was given to
// "Add a Model…" is in VS Code's secret storage, never in a settings file. The server
// gets it as an environment variable when it starts.
import { ConfigurationTarget, type Disposable, EventEmitter, type SecretStorage, workspace } from "vscode";

/** The part of a provider's settings that the extension writes; there may be more. */
export interface ProviderSettings {
  type: string;
  baseUrl?: string;
  apiKeyEnv?: string;
}

/** A provider that is tried before it is saved. */
export interface Draft {
  name: string;
  settings: ProviderSettings;
  key: string | undefined;
}

const variablePrefix = "PLOKE_KEY_";

export class Providers implements Disposable {
  private readonly keyEmitter = new EventEmitter<void>();
  private readonly subscription: Disposable;
  private draft: Draft | undefined;
  private handed: Record<string, string> = {};

  /** Fires when a stored key has changed, in this or another window, that the running server was started with. */
  readonly onKeyChange = this.keyEmitter.event;

  constructor(private readonly secrets: SecretStorage) {
    this.subscription = secrets.onDidChange(async ({ key: variable }) => {
      if (!this.variables().includes(variable) || (await this.key(variable)) === this.handed[variable]) return;
      this.keyEmitter.fire();
    });
  }

  /** The providers that the server gets, by name. */
  all(): Record<string, ProviderSettings> {
    const { draft } = this;
    return { ...this.saved(), ...(draft && { [draft.name]: draft.settings }) };
  }

  /** The providers of the user's settings, by name. */
  saved(): Record<string, ProviderSettings> {
    return workspace.getConfiguration("ploke").get<Record<string, ProviderSettings>>("providers", {});
  }

  /** The variables that the server gets, with the keys. */
  async environment(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const variable of this.variables()) {
      const key = await this.key(variable);
      if (key) found[variable] = key;
    }
    this.handed = found;
    return found;
  }

  /** Has the next server started with a provider that is not saved; undefined ends this. */
  try(draft: Draft | undefined): void {
    this.draft = draft;
  }

  /** Saves the provider that is tried. */
  async save(): Promise<void> {
    const { draft } = this;
    if (!draft) return;
    const { name, settings, key } = draft;
    if (settings.apiKeyEnv && key) await this.secrets.store(settings.apiKeyEnv, key);
    await this.write({ ...this.saved(), [name]: settings });
    this.draft = undefined;
  }

  /** Removes a provider and its key. */
  async remove(name: string): Promise<void> {
    const { [name]: removed, ...kept } = this.saved();
    await this.write(kept);
    if (removed?.apiKeyEnv?.startsWith(variablePrefix)) await this.secrets.delete(removed.apiKeyEnv);
  }

  dispose(): void {
    this.subscription.dispose();
    this.keyEmitter.dispose();
  }

  private async key(variable: string): Promise<string | undefined> {
    return this.draft?.settings.apiKeyEnv === variable ? this.draft.key : this.secrets.get(variable);
  }

  private variables(): string[] {
    return Object.values(this.all()).flatMap(({ apiKeyEnv }) => (apiKeyEnv?.startsWith(variablePrefix) ? [apiKeyEnv] : []));
  }

  private async write(providers: Record<string, ProviderSettings>): Promise<void> {
    await workspace.getConfiguration("ploke").update("providers", providers, ConfigurationTarget.Global);
  }
}

/** The variable for the key of a provider. */
export function keyVariable(provider: string): string {
  return variablePrefix + provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}

/** Says what is wrong with a key; undefined if nothing is. Spaces around it don't count. */
export function keyProblem(key: string): string | undefined {
  if (!key.trim()) return "Paste the key of your account";
  return /[^\x21-\x7e]/.test(key.trim()) ? "A key has no spaces, line breaks or accents: copy it again" : undefined;
}
