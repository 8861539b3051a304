const EVERY_MS = 2_000;

/** Prints what runs, and every two seconds the time it has taken. */
export async function withProgress(what, work, say = (line) => process.stdout.write(`${line}\n`)) {
  const begun = performance.now();
  say(`${what} …`);
  const timer = setInterval(() => say(`${what} … ${Math.round((performance.now() - begun) / 1000)} s`), EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
