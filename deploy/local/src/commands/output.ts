/** Where a start reports its progress. */
export interface Output {
  /** A line of progress, or of something that happened later. */
  say(line: string): void;
  /** All is ready; the text holds keys and is kept nowhere. */
  ready(text: string): void;
  /** The start failed; one sentence. */
  fail(sentence: string): void;
}

/** What a detached start reports to the process in front. */
export type Report = { readonly say: string } | { readonly ready: string } | { readonly fail: string };

export const terminal: Output = {
  say: (line) => void process.stdout.write(`${line}\n`),
  ready: (text) => void process.stdout.write(`${text}\n`),
  fail: (sentence) => void process.stderr.write(`${sentence}\n`),
};

/** Reports to the process in front while there is one; afterwards lines go to the log that standard output is. */
export function reporter(): Output {
  const report = (message: Report) => process.connected && process.send?.(message);
  return {
    say: (line) => void (report({ say: line }) || terminal.say(`${new Date().toISOString()} ${line}`)),
    ready: (text) => void report({ ready: text }),
    fail: (sentence) => void report({ fail: sentence }),
  };
}
