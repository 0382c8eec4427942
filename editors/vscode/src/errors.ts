// Error messages for the user.
import { window } from "vscode";

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Wraps work so that it shows its error to the user instead of throwing. */
export function reporting<A extends unknown[]>(work: (...args: A) => unknown): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await work(...args);
    } catch (error) {
      void window.showErrorMessage(`ploke: ${messageOf(error)}`);
    }
  };
}
