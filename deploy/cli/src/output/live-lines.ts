export interface LiveLines extends Disposable {
  show(lines: readonly string[]): void;
}

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean };

const WRITE_EVERY_MS = 2_000;

/** Redraws on a terminal; elsewhere writes changed lines every two seconds. */
export function startLiveLines(stream: Stream): LiveLines {
  return stream.isTTY ? redrawn(stream) : appended(stream);
}

function redrawn(stream: Stream): LiveLines {
  let drawn = 0;
  return {
    show(lines) {
      // Cursor up, then erase to the end of the screen.
      const back = drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`;
      stream.write(`${back}${lines.map((line) => `${line}\n`).join('')}`);
      drawn = lines.length;
    },
    [Symbol.dispose]: () => undefined,
  };
}

function appended(stream: Stream): LiveLines {
  let [written, latest]: (readonly string[])[] = [[], []];
  const write = () => {
    for (const line of latest ?? []) if (!written?.includes(line)) stream.write(`${line}\n`);
    written = latest;
  };
  const timer = setInterval(write, WRITE_EVERY_MS);
  return {
    show(lines) {
      latest = lines;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      write();
    },
  };
}
