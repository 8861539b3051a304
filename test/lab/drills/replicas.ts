import { writeFile } from 'node:fs/promises';
import { table } from '@ces/cli/output/table';
import { seeded } from '../../support/random.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type NamedStack, startNamedStack } from './replicas/named-stack.ts';
import {
  checkRow,
  evenRow,
  indexRow,
  lossRow,
  type Row,
  restartRow,
  sentIn,
  silenceRow,
  thirdRow,
} from './replicas/rows.ts';
import { type Silence, silence } from './replicas/silence.ts';
import { SteadyLoad } from './replicas/steady-load.ts';
import { addThirds, isIndexed, restartAll, watchEven } from './replicas/steps.ts';
import { judge } from './rolling/judge.ts';

const USAGE = 'npm run lab -- replicas [--rate CALLS_A_SECOND] [--seed S] [--json FILE]';
const { values } = readArguments(USAGE, {
  rate: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'string' },
});
const rate = atLeastOne(values.rate, 25);
const seed = values.seed ?? String(Date.now());

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());

process.exitCode = await main(interrupted.signal);

/**
 * Measures replicas of every service behind DNS names under steady load: balance, scale-out, a
 * silent process and a full restart.
 */
async function main(signal: AbortSignal): Promise<number> {
  const repeat = `npm run lab -- replicas --rate ${rate} --seed ${seed}`;
  console.log(`replicas: ${rate} calls a second, seed ${seed}; repeat with ${repeat}`);
  await using stack = await startNamedStack(seeded(seed));
  const rows = await drill(stack, signal);
  console.log(
    table(
      ['what', 'seen', ''],
      rows.map(({ what, seen, passed }) => [what, seen, verdictOf(passed)]),
    ),
  );
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify({ seed, rate, rows }, undefined, 2)}\n`);
  const failed = rows.filter(({ passed }) => passed === false);
  if (failed.length === 0) return 0;
  stack.servers.keepFiles();
  for (const { figures } of failed) console.log(JSON.stringify(figures, undefined, 2).slice(0, 4_000));
  console.log(`logs are in ${stack.servers.directory}; repeat with ${repeat}`);
  return 1;
}

async function drill(stack: NamedStack, signal: AbortSignal): Promise<readonly Row[]> {
  const called = [...stack.replicas.values()].filter(({ service }) => service !== 'gateway');
  for (const replicas of stack.replicas.values()) await replicas.add();
  const load = new SteadyLoad('drill', stack, rate, seeded(seed).branch('load'));
  const even = await watchEven(called, signal);
  say('two share');
  const thirds = await addThirds(called, signal);
  say('thirds came and went');
  const silences: Silence[] = [];
  let indexed = false;
  const lookAtIndex = async () => {
    indexed = await isIndexed(stack);
  };
  const nothing = async () => undefined;
  for (const replicas of called)
    silences.push(await silence(replicas, signal, replicas.service === 'search' ? lookAtIndex : nothing));
  say('each fell silent');
  const restart = await restartAll([...stack.replicas.values()], signal);
  say('all are replaced');
  const attempts = await load.stop();
  say('calls have ended');
  const ends = [...stack.replicas.values()].flatMap(({ ends }) => ends);
  const violations = await judge(
    { ...stack, gatewayUrl: stack.doors()[0]?.baseUrl ?? '' },
    attempts,
    silences.map(({ stoppedAt, continuedAt }) => ({ from: stoppedAt, to: continuedAt })),
  );
  return [
    ...called.map(({ service }) => evenRow(service, even.served.get(service) ?? new Map())),
    ...called.map(({ service }) => thirdRow(service, thirds.get(service))),
    ...silences.map((one) => silenceRow(one, attempts, even.stretch)),
    indexRow(indexed),
    restartRow(restart.restarts, (restart.to - restart.from) / 1_000, sentIn(attempts, restart)),
    lossRow(attempts, silences),
    checkRow(
      [...violations, ...ends.filter((end) => end !== 0).map((end) => `a process ended with ${end}`)],
      ends.length,
    ),
  ];
}

function verdictOf(passed: boolean | undefined): string {
  return passed === undefined ? '' : passed ? 'pass' : 'FAIL';
}

function say(what: string): void {
  process.stderr.write(`${new Date().toISOString()} ${what}\n`);
}
