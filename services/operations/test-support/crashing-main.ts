import { runService } from '@ces/chassis/service/lifecycle';
import { readSettings } from '@ces/chassis/service/settings';
import { settings } from '../src/config.ts';
import type { AtCrashPoint } from '../src/crash-points.ts';
import { start } from '../src/start.ts';

// Operations as a process that ends by SIGKILL at a crash point: CES_CRASH_AT=name at its first passage, name:3 at its third.

await runService('operations', (logger) =>
  start(readSettings(settings, process.env), logger, { atCrashPoint: crashAt(process.env.CES_CRASH_AT) }),
);

function crashAt(asked = ''): AtCrashPoint {
  const [name, passage = '1'] = asked.split(':');
  let left = Number(passage);
  return (point) => {
    if (point !== name) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}
