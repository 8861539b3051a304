/** What a long step shows: a bar on a terminal, a line every two seconds elsewhere. Disposed at the end. */
export interface Progress extends Disposable {
  /** `fraction` from 0 to 1, unknown when absent. */
  at(note: string, fraction?: number): void;
}

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

const LINE_EVERY_MS = 2_000;
const DRAWN_EVERY_MS = 100;
const BAR_COLUMNS = 30;
const TERMINAL_COLUMNS = 80;
const ERASE_REST = '\u001b[K';

export function startProgress(stream: Stream, title: string): Progress {
  return stream.isTTY ? bar(stream, title) : lines(stream, title);
}

function bar(stream: Stream, title: string): Progress {
  let text = '';
  const draw = () => {
    // A line that wraps could not be drawn over.
    const line = text.slice(0, (stream.columns ?? TERMINAL_COLUMNS) - 1);
    stream.write(`\r${line}${ERASE_REST}`);
  };
  const at = (note: string, fraction = 0) => {
    const full = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_COLUMNS);
    const drawn = '█'.repeat(full) + '░'.repeat(BAR_COLUMNS - full);
    text = `${title} ${drawn} ${Math.floor(fraction * 100)} %  ${note}`;
  };
  at('');
  draw();
  const timer = setInterval(draw, DRAWN_EVERY_MS);
  return {
    at,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      draw();
      stream.write('\n');
    },
  };
}

function lines(stream: Stream, title: string): Progress {
  let text = '';
  const write = () => {
    if (text) stream.write(`${title}: ${text}\n`);
  };
  const timer = setInterval(write, LINE_EVERY_MS);
  return {
    at: (note, fraction) => {
      text = fraction === undefined ? note : `${Math.floor(fraction * 100)} %, ${note}`;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
