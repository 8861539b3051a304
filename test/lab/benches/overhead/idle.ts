import { setTimeout as pause } from 'node:timers/promises';
import { table } from '@ces/cli/output/table';
import type { Figures } from '../../support/bench.ts';
import { startBenchServer } from '../../support/server.ts';
import { readProcessorTimes } from './costs.ts';
import { round } from './rows.ts';
import { startService } from './service.ts';
import { COUNTING, countStatements, statementTable } from './statements.ts';

/** What follows a start (indexing, first comparisons) is over after so long, in milliseconds. */
const SETTLES_MS = 20_000;

/** What a stack that nobody uses costs a minute, watched for `seconds`. */
export async function measureIdle(seconds: number, load: number, signal: AbortSignal): Promise<Figures> {
  await using server = await startBenchServer(COUNTING);
  await using service = await startService(server, undefined, signal);
  const minutes = seconds / 60;
  const times = () => readProcessorTimes(service.pids, server.pid);
  await pause(SETTLES_MS, undefined, { signal });
  let before = times();
  let after = before;
  const costs = await countStatements(server.superuserUrl, async () => {
    before = times();
    await pause(seconds * 1_000, undefined, { signal });
    after = times();
    return minutes;
  });
  const processorMs = [...after].map(
    ([name, time]) => [name, ((time - (before.get(name) ?? 0)) * 1_000) / minutes] as const,
  );
  const sum = processorMs.reduce((total, [, ms]) => total + ms, 0);
  const byDatabase = [...Map.groupBy(costs, ({ database }) => database)].map(
    ([database, own]) => [database, own.reduce((total, { calls }) => total + calls, 0)] as const,
  );
  return {
    json: { seconds, load, processorMs: Object.fromEntries(processorMs), statements: costs },
    text: [
      `a stack that nobody uses, watched for ${seconds} s, load before ${load.toFixed(1)}`,
      table(
        ['process', 'processor ms a minute'],
        [...processorMs.toSorted(([, a], [, b]) => b - a), ['all', sum] as const].map(([name, ms]) => [
          name,
          round(ms, 0),
        ]),
      ),
      table(
        ['database', 'statements a minute'],
        byDatabase.toSorted(([, a], [, b]) => b - a).map(([name, calls]) => [name, round(calls, 1)]),
      ),
      statementTable('idle', costs, 'minute'),
    ].join('\n\n'),
  };
}
