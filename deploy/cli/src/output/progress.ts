import { Presets, SingleBar } from 'cli-progress';

export interface Progress extends Disposable {
  /** `fraction` is from 0 to 1; absent: unknown. */
  at(note: string, fraction?: number): void;
}

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean };

const LINE_EVERY_MS = 2_000;
const STEPS = 1_000;

export function startProgress(stream: Stream, title: string): Progress {
  return stream.isTTY ? bar(stream, title) : lines(stream, title);
}

function bar(stream: Stream, title: string): Progress {
  const shown = new SingleBar(
    { stream, format: `${title} {bar} {percentage} %  {note}`, barsize: 30, hideCursor: true, etaBuffer: 0 },
    Presets.shades_classic,
  );
  shown.start(STEPS, 0, { note: '' });
  return {
    at: (note, fraction = 0) => shown.update(Math.round(fraction * STEPS), { note }),
    [Symbol.dispose]: () => shown.stop(),
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
