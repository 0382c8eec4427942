// What the user is told when something fails.
import { window } from "vscode";

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Makes work that shows the user why it failed, if it does, instead of throwing. */
export function reporting<A extends unknown[]>(work: (...args: A) => unknown): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await work(...args);
    } catch (error) {
      void window.showErrorMessage(`ploke: ${messageOf(error)}`);
    }
  };
}
