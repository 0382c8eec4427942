// Answers of a model that stages edits. It calls the tools that the test has set, and
// then says "Done".
export function answerWithEdits(response, messages, calls) {
  const staged = messages.at(-1).role === "tool";
  const tool_calls = calls.map(({ tool, args }, index) => ({
    index, id: `c${index}`, type: "function", function: { name: tool, arguments: JSON.stringify(args) },
  }));
  const delta = staged ? { role: "assistant", content: "Done" } : { role: "assistant", content: "", tool_calls };
  const chunk = { id: "1", object: "chat.completion.chunk", created: 0, model: "any",
    choices: [{ index: 0, delta, finish_reason: staged ? "stop" : "tool_calls" }] };
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
}

/** Returns a call that replaces texts: [file, old, new] each. */
export function replacing(title, ...texts) {
  const edits = texts.map(([file, old, text]) => ({ mode: "replace", file, old, new: text }));
  return { tool: "apply_code_edit", args: { edits, reason: title } };
}
