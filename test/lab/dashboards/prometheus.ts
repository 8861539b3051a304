import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ruleFiles } from '@ces/chart/alerts/rules';
import { freePort } from '@ces/servers/ports';

/** Where a process shows its metrics, and of which program it is. */
export interface Target {
  readonly service: string;
  readonly adminUrl: string;
}

export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  /** Seconds since 1970 and the value as text. */
  readonly values: readonly (readonly [number, string])[];
}

interface Rule {
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
  readonly state?: string;
}

export interface Prometheus extends AsyncDisposable {
  /** What a graph would draw of the last `seconds`. */
  queryRange(expr: string, seconds: number): Promise<readonly Sample[]>;
  labelValues(label: string, selector: string): Promise<readonly string[]>;
  rules(): Promise<readonly Rule[]>;
}

/** The labels that the chart's monitors give; here they stand in the configuration. */
export const NAMESPACE = 'lab';
export const RELEASE = 'of-this-run';
const STEP_SECONDS = 2;
const READY_WITHIN_MS = 60_000;

/** Runs Prometheus on targets with the rules of the chart, computed every two seconds; it keeps its data in `folder`. */
export async function startPrometheus(binary: string, folder: string, targets: readonly Target[]): Promise<Prometheus> {
  const rules = path.join(folder, 'rules.yaml');
  const [own = ''] = ruleFiles().values();
  await writeFile(
    rules,
    own.replaceAll('NAMESPACE', NAMESPACE).replaceAll('RELEASE', RELEASE).replaceAll('interval: 30s', 'interval: 2s'),
  );
  const config = path.join(folder, 'prometheus.json');
  await writeFile(config, JSON.stringify(configure(targets, rules)));
  const address = `127.0.0.1:${await freePort(0)}`;
  const child = spawn(
    binary,
    [`--config.file=${config}`, `--storage.tsdb.path=${path.join(folder, 'data')}`, `--web.listen-address=${address}`],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const url = `http://${address}`;
  await untilReady(url, child);
  const ask = async <T>(route: string): Promise<T> => {
    const answer = await fetch(`${url}/api/v1/${route}`);
    const { status, data, error } = (await answer.json()) as { status: string; data: T; error?: string };
    if (status !== 'success') throw new Error(`${route}: ${error}`);
    return data;
  };
  return {
    queryRange: async (expr, seconds) => {
      const end = Date.now() / 1_000;
      const query = new URLSearchParams({
        query: expr,
        start: `${end - seconds}`,
        end: `${end}`,
        step: `${STEP_SECONDS}`,
      });
      return (await ask<{ result: Sample[] }>(`query_range?${query}`)).result;
    },
    labelValues: (label, selector) => ask(`label/${label}/values?${new URLSearchParams({ 'match[]': selector })}`),
    rules: async () => {
      const { groups } = await ask<{ groups: { rules: Rule[] }[] }>('rules');
      return groups.flatMap(({ rules: inGroup }) => inGroup);
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** JSON is YAML too. */
function configure(targets: readonly Target[], rules: string): object {
  return {
    global: { scrape_interval: `${STEP_SECONDS}s`, evaluation_interval: `${STEP_SECONDS}s` },
    rule_files: [rules],
    scrape_configs: [
      {
        job_name: 'ces',
        static_configs: targets.map(({ service, adminUrl }) => ({
          targets: [new URL(adminUrl).host],
          labels: { namespace: NAMESPACE, release: RELEASE, service, pod: `${service}-0` },
        })),
      },
    ],
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const isReady = await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`Prometheus is not ready at ${url}`);
}
