// Whether the server runs, and what a person reads and can do if it does not.

export type ServerHealth =
  | { state: "starting" | "running" | "stopped" }
  | { state: "missing"; reason: string }
  /** It starts again after so many seconds. */
  | { state: "crashed"; reason: string; seconds: number }
  /** It is not started again by itself. */
  | { state: "failed"; reason: string };

/** What the chat shows while the server does not run. */
export interface ServerProblem {
  title: string;
  text: string;
  actions: ServerAction[];
}

export type ServerAction = "installHelp" | "openServerSettings" | "restartServer" | "showLog";

export function problemOf(health: ServerHealth): ServerProblem | undefined {
  switch (health.state) {
    case "missing":
      return {
        title: "The server ploke-lsp was not found",
        text: `${health.reason} Install ploke-lsp, or set ploke.serverPath to where it is.`,
        actions: ["installHelp", "openServerSettings", "restartServer"],
      };
    case "crashed":
      return {
        title: "The server has stopped",
        text: `${health.reason} It starts again in ${health.seconds} s. Your conversations are kept.`,
        actions: ["restartServer", "showLog"],
      };
    case "failed":
      return {
        title: "The server does not run",
        text: `${health.reason} Your conversations are kept. Look into the log, then restart the server.`,
        actions: ["restartServer", "showLog", "openServerSettings"],
      };
    default:
      return undefined;
  }
}
