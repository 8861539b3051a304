import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findGoProgram } from '@ces/chart/check/programs';
import { drawnExpressions } from '@ces/chart/series/expressions';
import { startStack } from '@ces/local/stack';
import { surface } from '../../support/subscriber.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { NAMESPACE, type Prometheus, RELEASE, type Sample, startPrometheus } from './prometheus.ts';

const MODULE = ['github.com/prometheus/prometheus@v0.305.0', './cmd/prometheus'] as const;
/** What a graph looks back over while it is checked, in place of Grafana's interval. */
const INTERVAL = '20s';
const PAUSE_MS = 100;
/** Of an OpenSearch, which this stack does not have. */
const ELSEWHERE = /\bces_search_engine_/;

const { values } = readArguments('npm run lab -- dashboards [--seconds 60] [--prometheus PATH]', {
  seconds: { type: 'string' },
  prometheus: { type: 'string' },
});
const seconds = atLeastOne(values.seconds, 60);

process.exitCode = await main();

/** A stack under load, Prometheus on it with the chart's rules: every graph of what it has must draw something, and every rule be computed. */
async function main(): Promise<number> {
  const binary = values.prometheus ?? (await findGoProgram('prometheus', ...MODULE));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-dashboards-'));
  try {
    await using stack = await startStack({
      dataDirectory: path.join(folder, 'stack'),
      port: 0,
      sample: true,
      // By default the first comparison ends five minutes after the start.
      env: { CES_OPERATIONS_RECONCILE_MS: '500' },
    });
    const { base_url, credentials, admin } = stack.ready;
    const targets = Object.entries(admin).map(([service, adminUrl]) => ({ service, adminUrl: String(adminUrl) }));
    await using prometheus = await startPrometheus(binary, folder, targets);
    const calls = await load(surface(base_url, credentials.professional), performance.now() + seconds * 1_000);
    console.log(`${calls} calls in ${seconds} s`);
    const faults = [
      ...(await emptyGraphs(prometheus)),
      ...(await brokenRules(prometheus)),
      ...(await choices(prometheus)),
    ];
    for (const fault of faults) console.log(`FAULT ${fault}`);
    console.log(faults.length === 0 ? 'every graph draws something' : `${faults.length} faults`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of every kind that graphs show, refusals among them; returns how many. */
async function load(caller: ReturnType<typeof surface>, until: number): Promise<number> {
  const kinds = [
    () => caller.search({ query: 'warehouse', limit: 2 }),
    () => caller.lookUp({ ids: [1] }),
    () => caller.poll(999_999),
    () => caller.search({ query: 'cold storage', limit: 1, background: true }),
  ];
  let calls = 0;
  for (; performance.now() < until; calls += 1) {
    await kinds[calls % kinds.length]?.();
    await pause(PAUSE_MS);
  }
  return calls;
}

async function emptyGraphs(prometheus: Prometheus): Promise<string[]> {
  const faults: string[] = [];
  for (const { of, expr } of drawnExpressions().filter((one) => !ELSEWHERE.test(one.expr))) {
    const asked = expr
      .replaceAll('$namespace', NAMESPACE)
      .replaceAll('$release', RELEASE)
      .replaceAll('$__rate_interval', INTERVAL);
    const drawn = await prometheus.queryRange(asked, seconds);
    const numbers = drawn.flatMap(numbersOf);
    console.log(`${of}: ${drawn.length} lines${numbers.length > 0 ? `, ${range(numbers)}` : ''}`);
    if (numbers.length === 0) faults.push(`${of} draws nothing: ${asked}`);
  }
  return faults;
}

function numbersOf({ values: points }: Sample): number[] {
  return points.map(([, value]) => Number(value)).filter((value) => Number.isFinite(value));
}

function range(numbers: readonly number[]): string {
  return `${Number(Math.min(...numbers).toPrecision(3))} to ${Number(Math.max(...numbers).toPrecision(3))}`;
}

/** A rule that cannot be computed, and an alert on a stack that is well. */
async function brokenRules(prometheus: Prometheus): Promise<string[]> {
  const rules = await prometheus.rules();
  console.log(`${rules.length} rules`);
  return rules.flatMap(({ name, health, lastError, state }) => [
    ...(health === 'ok' ? [] : [`rule ${name} is ${health}: ${lastError}`]),
    ...(state === 'firing' ? [`${name} fires`] : []),
  ]);
}

/** What may be chosen above the graphs. */
async function choices(prometheus: Prometheus): Promise<string[]> {
  const ours = 'target_info{service_namespace="ces"}';
  const found = [await prometheus.labelValues('namespace', ours), await prometheus.labelValues('release', ours)];
  return found.flat().join() === `${NAMESPACE},${RELEASE}`
    ? []
    : [`namespace and release offer ${JSON.stringify(found)}`];
}
