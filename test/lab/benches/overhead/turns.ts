import type { Figures } from '../../support/bench.ts';
import { goOn } from '../../support/bench.ts';
import { type BenchServer, startBenchServer } from '../../support/server.ts';
import { startBareHandler } from './bare-handler.ts';
import { Caller } from './caller.ts';
import { BARE, measureRow, medianRows, type Row, rowTable, type Subject, shownRows } from './rows.ts';
import { startService } from './service.ts';
import { startSkeleton } from './skeleton/skeleton.ts';

/** A process that has just started answers at half its speed. */
const WARM_UP_CALLS = 300;
const WARM_UP_CLIENTS = 16;

export interface TurnOptions {
  readonly clients: readonly number[];
  readonly seconds: number;
  readonly rounds: number;
  readonly load: number;
}

/**
 * What of a call is the architecture: the bare handler, the skeleton and the service on one server, all running throughout, in
 * turns; medians of the rounds.
 */
export async function measureFloor(options: TurnOptions, signal: AbortSignal): Promise<Figures> {
  await using server = await startBenchServer();
  await using bare = await startBareHandler(server.superuserUrl);
  await using skeleton = await startSkeleton(server.superuserUrl);
  await using service = await startService(server, undefined, signal);
  const subjects: readonly Subject[] = [
    {
      what: BARE,
      pids: { handler: bare.pid },
      step: (caller, turn) => caller.call(`${bare.url}/lookup/${1 + (turn % 1_000)}`),
    },
    { what: 'look-up, skeleton', pids: skeleton.pids, step: skeleton.lookUp },
    { what: 'look-up', pids: service.pids, step: service.lookUp },
    { what: 'search, skeleton', pids: skeleton.pids, step: skeleton.search },
    { what: 'search', pids: service.pids, step: service.search },
  ];
  return await measureTurns(server, subjects, options, signal);
}

/** What tracing costs a look-up: stacks that differ in it alone, all running throughout, in turns. */
export async function measureTracing(options: TurnOptions, signal: AbortSignal): Promise<Figures> {
  await using server = await startBenchServer();
  await using cleanup = new AsyncDisposableStack();
  const subjects: Subject[] = [];
  for (const [what, ratio] of [
    ['look-up, not traced', undefined],
    ['look-up, 5 % traced', 0.05],
    ['look-up, all traced', 1],
  ] as const) {
    const service = cleanup.use(await startService(server, ratio, signal, undefined, `stack-${subjects.length}`));
    subjects.push({ what, pids: service.pids, step: service.lookUp });
  }
  return await measureTurns(server, subjects, options, signal);
}

async function measureTurns(
  server: BenchServer,
  subjects: readonly Subject[],
  { clients, seconds, rounds, load }: TurnOptions,
  signal: AbortSignal,
): Promise<Figures> {
  await warmUp(subjects, signal);
  const rows: Row[] = [];
  for (let round = 1; round <= rounds; round += 1)
    for (const count of clients) rows.push(...(await takeTurns(server, subjects, round, count, seconds, signal)));
  const shown = shownRows(medianRows(rows));
  const { fsync, synchronous_commit } = server.durability;
  const heading = `fsync ${fsync}, synchronous_commit ${synchronous_commit}, medians of ${rounds} rounds of ${seconds} s, load before ${load.toFixed(1)}`;
  return {
    json: { durability: server.durability, load, rows: shown, rounds: shownRows(rows) },
    text: `${heading}\n\n${rowTable(shown)}`,
  };
}

async function warmUp(subjects: readonly Subject[], signal: AbortSignal): Promise<void> {
  for (const { what, step } of subjects) {
    goOn(signal);
    process.stderr.write(`${what}: ${WARM_UP_CALLS} calls first\n`);
    using caller = new Caller(WARM_UP_CLIENTS);
    let turn = 0;
    const client = async () => {
      while (turn < WARM_UP_CALLS) await step(caller, turn++);
    };
    await Promise.all(Array.from({ length: WARM_UP_CLIENTS }, client));
  }
}

async function takeTurns(
  server: BenchServer,
  subjects: readonly Subject[],
  round: number,
  clients: number,
  seconds: number,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const subject of subjects) {
    goOn(signal);
    process.stderr.write(`round ${round}, ${subject.what}, ${clients} clients\n`);
    rows.push(await measureRow(server, subject, clients, seconds));
  }
  return rows;
}
