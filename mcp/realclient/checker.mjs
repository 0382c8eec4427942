// Compares the messages of a connection with the schemas of a client library.
import assert from "node:assert/strict";

// What results are, by the method of the request.
const results = {
  "initialize": "InitializeResultSchema",
  "server/discover": "DiscoverResultSchema",
  "tools/list": "ListToolsResultSchema",
  "tools/call": "CallToolResultSchema",
  "resources/list": "ListResourcesResultSchema",
  "resources/templates/list": "ListResourceTemplatesResultSchema",
  "resources/read": "ReadResourceResultSchema",
  "subscriptions/listen": "SubscriptionsListenResultSchema",
  "elicitation/create": "ElicitResultSchema",
  "ping": "EmptyResultSchema",
};

export class Checker {
  checked = 0; // messages
  failures = [];
  version = ""; // of the protocol, as the server has answered
  #schemas;
  #seen = new WeakSet();
  #asked = { client: new Map(), server: new Map() }; // methods by id

  constructor(schemas) {
    this.#schemas = schemas;
  }

  // watch has all messages of a transport checked.
  watch(transport) {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      this.#check("client", message);
      return send(message, options);
    };
    let receive;
    Object.defineProperty(transport, "onmessage", {
      get: () => receive,
      set: (next) => {
        receive = next && ((message, extra) => {
          this.#check("server", message);
          next(message, extra);
        });
      },
    });
  }

  // #check compares a message of a side with the schemas.
  #check(side, message) {
    if (this.#seen.has(message)) return; // some libraries put one receiver before another
    this.#seen.add(message);
    this.checked++;
    try {
      this.#schemas.JSONRPCMessageSchema.parse(message);
      if ("method" in message) this.#checkMethod(side, message);
      else this.#checkAnswer(side === "client" ? "server" : "client", message);
    } catch (error) {
      this.failures.push(`${JSON.stringify(message)}: ${error}`);
    }
  }

  #checkMethod(side, message) {
    const kind = "id" in message ? "Request" : "Notification";
    const name = side === "client" ? "Client" : "Server";
    this.#schemas[`${name}${kind}Schema`].parse({ method: message.method, params: message.params });
    if (kind === "Request") this.#asked[side].set(message.id, message.method);
  }

  #checkAnswer(asker, message) {
    const method = this.#asked[asker].get(message.id);
    assert(method, "an answer to nothing");
    if (!("result" in message)) return;
    if (method === "initialize") this.version = message.result.protocolVersion;
    this.#schemas[results[method]].parse(message.result);
  }
}
