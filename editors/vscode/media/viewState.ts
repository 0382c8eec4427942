// What VS Code keeps of the view while it is closed or reloaded.
import type { Draft } from "../src/composerMessages";
import type { FromView } from "../src/webviewMessages";
import type { Position } from "./scrolling";

interface ViewState {
  draft?: Draft;
  /** Where conversations were scrolled to, by their ids, the last one at the end. */
  positions?: [conversation: string, position: Position][];
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

const keptPositions = 20;

/** Where the log was scrolled to in a conversation. */
export const positions = {
  load: (conversation: string) => state().positions?.find(([id]) => id === conversation)?.[1],
  save: (conversation: string, position: Position) => {
    const others = (state().positions ?? []).filter(([id]) => id !== conversation);
    keep({ positions: [...others, [conversation, position] satisfies [string, Position]].slice(-keptPositions) });
  },
};
