// Error messages for the user.
import { window } from "vscode";
import { ErrorCodes, ResponseError } from "vscode-languageclient/node";
import { unlinked } from "./notification";

export function messageOf(error: unknown): string {
  if (error instanceof ResponseError && isDisconnected(error)) return "the server has stopped before it answered";
  return error instanceof Error ? error.message : String(error);
}

/** Wraps work so that it shows its error to the user instead of throwing. */
export function reporting<A extends unknown[]>(work: (...args: A) => unknown): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await work(...args);
    } catch (error) {
      void window.showErrorMessage(unlinked(`ploke: ${messageOf(error)}`));
    }
  };
}

/** Wraps work that nobody has asked for. It shows its error, unless the server has stopped: the chat says so. */
export function inBackground<A extends unknown[]>(work: (...args: A) => Promise<void>): (...args: A) => Promise<void> {
  return reporting(async (...args) => {
    try {
      await work(...args);
    } catch (error) {
      if (!isDisconnected(error)) throw error;
    }
  });
}

/** The error of a request while no server runs. */
export class NotRunningError extends Error {
  constructor() {
    super("the server does not run; try the command “ploke: Restart Server”");
  }
}

/** Whether a request has no answer because the server has stopped. */
export function isDisconnected(error: unknown): boolean {
  if (error instanceof NotRunningError) return true;
  return error instanceof ResponseError && (error.code === ErrorCodes.PendingResponseRejected || error.code === ErrorCodes.ConnectionInactive);
}
