// What VS Code's own chat, and other agents in it, can use of ploke: its MCP server, and tools in their prompts. VS Code has
// both only since 1.101 and 1.95; where they are missing, nothing is registered.
import * as vscode from "vscode";
import type { Client } from "./client";
import { type SearchHit, search } from "./protocol";
import { findServer } from "./serverPath";

/** What VS Code has of them, if it has it. */
interface Host {
  lm?: {
    registerTool?(name: string, tool: Tool): vscode.Disposable;
    registerMcpServerDefinitionProvider?(id: string, provider: { provideMcpServerDefinitions(): object[] }): vscode.Disposable;
  };
  McpStdioServerDefinition?: new (label: string, command: string, args: string[], env: Record<string, string>, version?: string) => object;
  LanguageModelToolResult?: new (content: object[]) => object;
  LanguageModelTextPart?: new (value: string) => object;
}

interface Tool {
  prepareInvocation?(options: { input: Query }): { invocationMessage: string };
  invoke(options: { input: Query }, token: vscode.CancellationToken): Promise<object>;
}

interface Query {
  query: string;
  limit?: number;
}

/** Registers what this VS Code has a door for. */
export function registerHostTools(client: Client, extensionPath: string, extensionVersion: string): vscode.Disposable[] {
  const host = vscode as unknown as Host;
  const found: (vscode.Disposable | undefined)[] = [];
  const { McpStdioServerDefinition: Server, LanguageModelToolResult: Result, LanguageModelTextPart: Text } = host;
  if (Server && isFinal()) {
    found.push(host.lm?.registerMcpServerDefinitionProvider?.("ploke.mcp", {
      provideMcpServerDefinitions: () => mcpServers(extensionPath).map(({ label, path, args }) => new Server(label, path, args, {}, extensionVersion)),
    }));
  }
  if (Result && Text) {
    const tool = (form: (hits: SearchHit[], query: string) => string): Tool => ({
      prepareInvocation: ({ input }) => ({ invocationMessage: `ploke searches for “${input.query}”` }),
      invoke: async ({ input }, token) => {
        const { results } = await client.request(search, { query: input.query, limit: Math.min(input.limit ?? 20, 50) }, token);
        return new Result([new Text(form(results, input.query))]);
      },
    });
    found.push(host.lm?.registerTool?.("ploke_search", tool(listed)));
    found.push(host.lm?.registerTool?.("ploke_symbol", tool((hits, query) => listed(named(hits, query)))));
  }
  return found.filter((one) => one !== undefined);
}

/** Whether the API for MCP servers is in its final form: VS Code 1.100 has an earlier one, which throws. */
function isFinal(): boolean {
  const [major = 0, minor = 0] = vscode.version.split(".").map(Number);
  return major > 1 || minor > 100;
}

/** One server for each folder: its tools name files relative to that. */
function mcpServers(extensionPath: string): { label: string; path: string; args: string[] }[] {
  const server = findServer(extensionPath);
  if ("missing" in server) return [];
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return folders.map(({ name, uri }) => ({
    label: folders.length > 1 ? `ploke: ${name}` : "ploke", path: server.path, args: ["mcp", "--workspace", uri.fsPath],
  }));
}

/** The symbols of a name, such as Server.Run; without any, those that are like it. */
function named(hits: SearchHit[], query: string): SearchHit[] {
  const canon = query.trim().replaceAll(".", "::");
  const exact = hits.filter((hit) => hit.canon === canon || hit.canon.endsWith(`::${canon}`));
  return exact.length > 0 ? exact : hits.filter((hit) => hit.canon);
}

/** Names places, and no text of files: whoever reads this reads files by itself. */
function listed(hits: SearchHit[]): string {
  const lines = hits.map(({ path, range, kind, canon, signature }) =>
    [`${path}:${range.start.line + 1}-${range.end.line + 1}`, kind, canon, signature].filter(Boolean).join(" · "));
  return lines.length > 0 ? lines.join("\n") : "Nothing was found.";
}
