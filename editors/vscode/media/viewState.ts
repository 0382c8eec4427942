// What VS Code keeps of the view while it is closed or reloaded.
import type { FromView } from "../src/webviewMessages";
import type { Position } from "./scrolling";

interface ViewState {
  draft?: string;
  /** Where a conversation was scrolled to. */
  read?: { conversation: string; position: Position };
}

interface Editor {
  postMessage(message: FromView): void;
  getState(): ViewState | undefined;
  setState(state: ViewState): void;
}

declare function acquireVsCodeApi(): Editor;

const editor = acquireVsCodeApi();

export function post(message: FromView): void {
  editor.postMessage(message);
}

export function state(): ViewState {
  return editor.getState() ?? {};
}

export function keep(changed: ViewState): void {
  editor.setState({ ...state(), ...changed });
}
