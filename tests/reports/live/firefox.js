/* Evaluate an expression on a page: `node firefox.js ws://... file:///... "expression"` (WebDriver
   BiDi). Prints the text that the expression's promise resolves to. */

const [server, address, expression] = process.argv.slice(2);
const socket = new WebSocket(`${server}/session`);
await new Promise((opened, failed) => {
  socket.onopen = opened;
  socket.onerror = failed;
});
/** @type {((answer: any) => void)[]} */
const waiting = [];
socket.onmessage = ({ data }) => {
  const answer = JSON.parse(data);
  waiting[answer.id]?.(answer);
};

/** @param {string} method @param {object} params @returns {Promise<any>} */
async function ask(method, params) {
  const id = waiting.length;
  const answer = await new Promise((answered) => {
    waiting.push(answered);
    socket.send(JSON.stringify({ id, method, params }));
  });
  if (answer.type === "error") throw new Error(answer.message);
  return answer.result;
}

await ask("session.new", { capabilities: {} });
const { contexts } = await ask("browsingContext.getTree", {});
const { context } = contexts[0];
await ask("browsingContext.navigate", { context, url: address, wait: "complete" });
const { result, exceptionDetails } = await ask("script.evaluate", {
  ...{ expression, target: { context }, awaitPromise: true },
});
console.log(result?.value ?? JSON.stringify(exceptionDetails));
socket.close();

export {};
