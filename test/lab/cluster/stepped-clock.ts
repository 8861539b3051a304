import { existsSync } from 'node:fs';
import { chmod, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A clock that jumps while servers use it (libfaketime). Their timers stay right. */
export interface SteppedClock {
  readonly env: Readonly<Record<string, string>>;
  readonly setBackMs: number;
  step(ms: number): Promise<void>;
}

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu', '.'].map((folder) =>
  path.join('/usr/lib', folder, 'faketime/libfaketime.so.1'),
);

/** Stores the offset in `directory`. Throws if libfaketime is missing. */
export async function createSteppedClock(directory: string): Promise<SteppedClock> {
  const library = LIBRARIES.find((file) => existsSync(file));
  if (!library)
    throw new Error('libfaketime is missing: install the package libfaketime to step the clock of a server');
  const file = path.join(directory, 'clock');
  let offsetMs = 0;
  let setBackMs = 0;
  const write = async () => {
    // Renames, so that no server reads a partial file.
    await writeFile(`${file}.new`, `${offsetMs < 0 ? '-' : '+'}${Math.abs(offsetMs / 1_000).toFixed(3)}\n`);
    await chmod(`${file}.new`, 0o644);
    await rename(`${file}.new`, file);
  };
  await write();
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DISABLE_SHM: '1',
      NO_FAKE_STAT: '1',
    },
    get setBackMs() {
      return setBackMs;
    },
    async step(ms) {
      offsetMs += ms;
      setBackMs += Math.max(0, -ms);
      await write();
    },
  };
}
