export interface Output {
  say(line: string): void;
  /** The stack is ready. The text contains keys and must not reach a log. */
  ready(text: string): void;
  fail(sentence: string): void;
}

export type Report = { readonly say: string } | { readonly ready: string } | { readonly fail: string };

export const terminal: Output = {
  say: (line) => void process.stdout.write(`${line}\n`),
  ready: (text) => void process.stdout.write(`${text}\n`),
  fail: (sentence) => void process.stderr.write(`${sentence}\n`),
};

/** Reports to the waiting process while it is connected; later lines go to the log (stdout). */
export function reporter(): Output {
  const report = (message: Report) => process.connected && process.send?.(message);
  return {
    say: (line) => void (report({ say: line }) || terminal.say(`${new Date().toISOString()} ${line}`)),
    ready: (text) => void report({ ready: text }),
    fail: (sentence) => void report({ fail: sentence }),
  };
}
