// Asks about the code until what answers is a language server that has read the project.
import assert from "node:assert/strict";

/** Asks, and returns the answer. */
export async function answerOf(workbench, question) {
  await workbench.ask(question);
  await workbench.turnEnd();
  return workbench.lastTurn.innerText();
}

/** Asks in new conversations until the answer says who it is by, since to read a project takes long on a busy machine. */
export async function answerBy(workbench, by, question) {
  let answer;
  for (let attempt = 1; !by.test(answer); attempt++) {
    assert.ok(attempt < 10, answer);
    await workbench.newConversation();
    answer = await answerOf(workbench, question);
  }
  return answer;
}
