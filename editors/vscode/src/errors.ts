// Error messages for the user.
import { window } from "vscode";
import { ErrorCodes, ResponseError } from "vscode-languageclient/node";

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

/** Whether a request has no answer because the server has stopped meanwhile. */
export function isDisconnected(error: unknown): boolean {
  return error instanceof ResponseError && (error.code === ErrorCodes.PendingResponseRejected || error.code === ErrorCodes.ConnectionInactive);
}
