import { readFileSync, rmSync } from 'node:fs';
import { runService } from '@ces/chassis/service/lifecycle';
import { readSettings } from '@ces/chassis/service/settings';
import { settings } from '../src/config.ts';
import type { AtCrashPoint } from '../src/crash-points.ts';
import { start } from '../src/start.ts';

// Operations as a process that ends by SIGKILL at a crash point: CES_CRASH_AT=name at its first passage, name:3 at its third.
// With CES_CRASH_FILE the file of that name says where, and may be written while the process runs; whoever crashes removes it.

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
      // Removed first, and by one alone: a process that starts again is not armed, and one that was disarmed goes on.
      atPoint = crashAt(now, () => {
        rmSync(file);
        process.kill(process.pid, 'SIGKILL');
      });
    }
    atPoint(point);
  };
}

/** Undefined where there is none. */
function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
