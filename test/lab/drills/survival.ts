import { seeded } from '../../support/random.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { startArena } from './survival/arena.ts';
import { EDGES } from './survival/edges.ts';
import { loseConnections, type Survival } from './survival/lose-connections.ts';

const USAGE = 'npm run lab -- survival [--times N] [--only EDGE] [--seed S]';
const { values } = readArguments(USAGE, {
  times: { type: 'string' },
  only: { type: 'string' },
  seed: { type: 'string' },
});
const times = atLeastOne(values.times, 5);
const seed = values.seed ?? String(Date.now());
const edges = EDGES.filter(({ edge }) => !values.only || edge === values.only);
/** Promise R29: bounds for calls and readiness, and for a probe. */
const AGAIN_WITHIN_MS = 15_000;
const PROBED_WITHIN_MS = 2_000;

process.exitCode = await main();

/** Makes each edge lose its connections permanently under load, and observes it every second. */
async function main(): Promise<number> {
  if (edges.length === 0) throw new Error(`there is no edge ${values.only}`);
  console.log(`survival: ${times} times, seed ${seed}`);
  await using arena = await startArena(seeded(seed));
  let violations = 0;
  console.log(
    '| edge | calls answered again after, s | calls failed of 20 | ready again after, s | slowest probe, ms |',
  );
  console.log('|---|---|---|---|---|');
  for (const edge of edges) {
    const all: Survival[] = [];
    for (let at = 0; at < times; at += 1) all.push(...(await loseConnections(arena, [edge], `lost${at}`)));
    console.log(rowOf(edge.edge, all));
    violations += all.filter(isTooLate).length;
  }
  const ends = arena.cluster.services.flatMap(({ unasked }) => unasked);
  for (const end of ends) console.log(end);
  console.log(`${violations + ends.length} violations`);
  return violations + ends.length === 0 ? 0 : 1;
}

function isTooLate({ callsAgainMs, readyAgainMs, slowestProbeMs, notAlive }: Survival): boolean {
  return Math.max(callsAgainMs, readyAgainMs) > AGAIN_WITHIN_MS || slowestProbeMs > PROBED_WITHIN_MS || notAlive > 0;
}

function rowOf(edge: string, all: readonly Survival[]): string {
  const seconds = (of: (one: Survival) => number) => all.map((one) => (of(one) / 1_000).toFixed(1)).join(', ');
  const cells = [
    edge,
    seconds(({ callsAgainMs }) => callsAgainMs),
    all.map(({ failedCalls }) => failedCalls).join(', '),
    seconds(({ readyAgainMs }) => readyAgainMs),
    Math.max(...all.map(({ slowestProbeMs }) => slowestProbeMs)).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}
