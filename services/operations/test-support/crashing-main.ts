import { readFileSync, rmSync } from 'node:fs';
import { runService } from '@ces/chassis/service/lifecycle';
import { readSettings } from '@ces/chassis/service/settings';
import { settings } from '../src/config.ts';
import type { AtCrashPoint } from '../src/crash-points.ts';
import { start } from '../src/start.ts';

// Operations as a process that ends by SIGKILL at a crash point. CES_CRASH_AT=name crashes at the
// first passage, name:3 at the third. With CES_CRASH_FILE the crash point is read from that file,
// which may change while the process runs. The crash removes the file.

await runService('operations', (logger) =>
  start(readSettings(settings, process.env), logger, { atCrashPoint: atCrashPoint(process.env) }),
);

function atCrashPoint({ CES_CRASH_AT, CES_CRASH_FILE }: NodeJS.ProcessEnv): AtCrashPoint {
  return CES_CRASH_FILE === undefined ? crashAt(CES_CRASH_AT) : crashAsWritten(CES_CRASH_FILE);
}

function crashAt(asked = '', crash: () => void = () => process.kill(process.pid, 'SIGKILL')): AtCrashPoint {
  const [name, passage = '1'] = asked.split(':');
  let left = Number(passage);
  return (point) => {
    if (point !== name) return;
    left -= 1;
    if (left === 0) crash();
  };
}

function crashAsWritten(file: string): AtCrashPoint {
  let written: string | undefined;
  let atPoint: AtCrashPoint = () => undefined;
  return (point) => {
    const now = contentOf(file);
    if (now !== written) {
      written = now;
      // Removed first, so that only one process crashes and a restarted one is not armed.
      atPoint = crashAt(now, () => {
        rmSync(file);
        process.kill(process.pid, 'SIGKILL');
      });
    }
    atPoint(point);
  };
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
