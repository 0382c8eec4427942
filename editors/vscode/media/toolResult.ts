// Draws the result of a tool call as a person wants to see it: the lines of a file, hits by file, what a command has
// printed. Results of other tools are shown as they are.
import { codeBlock } from "./codeBlock";
import { element, scrolling } from "./dom";

/** How many lines of hits are drawn. */
const shownHits = 200;

interface Fields {
  file?: string;
  start_line?: number;
  end_line?: number;
  snippet?: string;
  matches?: { file: string; line: number; text: string }[];
  files?: { file: string; lines?: number }[];
  output?: string;
  ended?: string;
  passed?: boolean;
  entries?: { path: string; type: string }[];
  message?: string;
}

/** Returns undefined if nothing is known of the result but its text. */
export function drawResult(result: string, folders: string[]): Node[] | undefined {
  const fields = parse(result, folders);
  if (!fields) return undefined;
  if (typeof fields.output === "string" && typeof fields.ended === "string") return drawCommand(fields.output, fields.ended, fields.passed !== false);
  if (typeof fields.snippet === "string" && typeof fields.file === "string") return drawLines(fields.file, fields.snippet, fields);
  if (Array.isArray(fields.matches)) return drawHits(fields.matches, fields.files ?? []);
  if (Array.isArray(fields.entries)) return [list(fields.entries.map(({ path, type }) => element("code", "", type === "folder" ? `${path}/` : path)))];
  return typeof fields.message === "string" ? [element("p", "", fields.message)] : undefined;
}

/** Reads a result, with the paths of its files relative to their folders. */
function parse(text: string, folders: string[]): Fields | undefined {
  const relative = (path: string) => {
    const folder = folders.find((each) => path.startsWith(`${each}/`));
    return folder === undefined ? path : path.slice(folder.length + 1);
  };
  try {
    const value: unknown = JSON.parse(text, (key, each) => (key === "file" && typeof each === "string" ? relative(each) : each));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // only its beginning may be here
  }
}

function drawCommand(output: string, ended: string, passed: boolean): Node[] {
  const printed = output ? [scrolling(element("pre", "terminal", output))] : [];
  return [...printed, element("p", passed ? "ended" : "ended failed", ended)];
}

function drawLines(file: string, snippet: string, { start_line: first, end_line: last }: Fields): Node[] {
  const name = first ? `${file}:${first}${last && last > first ? `-${last}` : ""}` : file;
  return [element("p", "", element("code", "", name)), codeBlock(quoted(snippet), /\.(\w+)$/.exec(file)?.[1] ?? "")];
}

/** Returns the lines of a snippet, without the tags that name their place to the model. */
function quoted(snippet: string): string {
  return snippet.replace(/^<code="[^\n]*>\n/, "").replace(/<\/code>\s*$/, "");
}

function drawHits(matches: { file: string; line: number; text: string }[], files: { file: string; lines?: number }[]): Node[] {
  if (matches.length + files.length === 0) return [element("p", "", "Nothing was found.")];
  const byFile = new Map<string, HTMLElement[]>();
  for (const { file, line, text } of matches.slice(0, shownHits)) {
    const hit = element("li", "", element("code", "", `${file}:${line}`), " ", element("span", "hit", text.trim()));
    byFile.set(file, [...(byFile.get(file) ?? []), hit]);
  }
  const more = matches.length - shownHits;
  return [
    ...[...byFile].map(([file, hits]) => element("section", "hits", element("h5", "", file), element("ul", "", ...hits))),
    ...(files.length ? [list(files.map(({ file, lines }) => element("span", "", element("code", "", file), lines ? ` ${lines}` : "")))] : []),
    ...(more > 0 ? [element("p", "status", `${more} more`)] : []),
  ];
}

function list(items: HTMLElement[]): HTMLElement {
  return element("ul", "", ...items.map((item) => element("li", "", item)));
}
