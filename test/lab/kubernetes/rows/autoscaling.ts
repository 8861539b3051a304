import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { parse, stringify } from 'yaml';
import { applyFile } from '../apply.ts';
import { type Question, startCrowd } from '../product/crowd.ts';
import type { Subscriber, UnderCalls } from '../product/load.ts';
import { NAMESPACE, type Product, podsOf } from '../product/product.ts';
import type { Seen } from '../report.ts';
import { until } from '../until.ts';

const MANIFESTS = path.join(import.meta.dirname, '../manifests');
const RULES = path.join(REPOSITORY, 'charts/ces/examples/scaling/prometheus-adapter.yaml');
const AUTOSCALERS = `/apis/autoscaling/v2/namespaces/${NAMESPACE}/horizontalpodautoscalers`;
const MEASURED_WITHIN_MS = 180_000;
const GROWN_WITHIN_MS = 180_000;
const SHRUNK_WITHIN_MS = 300_000;
const MORE_PODS = 3;
const USUAL_PODS = 2;

/** A program that is scaled, by what, and what hurts it. */
interface Scaled {
  readonly program: string;
  readonly by: string;
  readonly question: Question;
  readonly clients: number;
  /** What an autoscaler has measured. */
  readonly unit: string;
}

const SCALED: readonly Scaled[] = [
  { program: 'gateway', by: 'its processor time', question: 'look-up', clients: 12, unit: '% of the request' },
  { program: 'operations', by: 'jobs that wait', question: 'background search', clients: 12, unit: 'jobs a pod' },
  { program: 'search', by: 'calls at work', question: 'search', clients: 16, unit: 'calls a pod' },
];

/** Programs are scaled by the signals of the production example: a third pod under what hurts, gone after it. What is refused meanwhile is answered later. */
export async function tryAutoscaling(
  product: Product,
  subscriber: Subscriber,
  eachIsAnswered: UnderCalls,
): Promise<void> {
  await applyFile(product.api, path.join(MANIFESTS, 'metrics.yaml'));
  await applyFile(product.api, path.join(MANIFESTS, 'prometheus.yaml'));
  await applyRules(product);
  await applyFile(product.api, path.join(MANIFESTS, 'adapter.yaml'));
  for (const scaled of SCALED)
    await eachIsAnswered(`${scaled.program} scaled by ${scaled.by}`, async () => {
      await upgrade(product, `--values ${MANIFESTS}/scaling-values.yaml`, `${of(scaled)}.enabled=true`);
      try {
        return await growAndShrink(product, subscriber, scaled);
      } finally {
        await upgrade(product, `${of(scaled)}.enabled=false`);
      }
    });
}

function of({ program }: Scaled): string {
  return `--set components.${program}.autoscaling`;
}

async function upgrade({ shell }: Product, ...flags: readonly string[]): Promise<void> {
  const usual = '--reset-then-reuse-values --wait --timeout 10m';
  await shell(`helm upgrade ces charts/ces --namespace ${NAMESPACE} ${[usual, ...flags].join(' ')}`);
}

/** The rules of the chart's example, as the adapter's own chart hands them to it. */
async function applyRules({ api }: Product): Promise<void> {
  const { rules } = parse(await readFile(RULES, 'utf8')) as { rules: { custom: unknown; external: unknown } };
  const config = stringify({ rules: rules.custom, externalRules: rules.external });
  const metadata = { name: 'prometheus-adapter', namespace: 'monitoring' };
  await api.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'config.yaml': config } });
}

async function growAndShrink(product: Product, subscriber: Subscriber, scaled: Scaled): Promise<Seen> {
  const { program, question, clients, unit } = scaled;
  const measured = async () => await measuredBy(product, program);
  await until(`the autoscaler of ${program} knows its metric`, MEASURED_WITHIN_MS, async () => {
    return (await measured()) !== undefined;
  });
  const usual = await measured();
  const crowd = startCrowd(subscriber, question, clients);
  let most = 0;
  const grown = await untilPods(product, program, MORE_PODS, GROWN_WITHIN_MS, async () => {
    most = Math.max(most, (await measured()) ?? 0);
  });
  const { answered, refused } = await crowd.stop();
  const shrunk = grown === undefined ? undefined : await untilPods(product, program, USUAL_PODS, SHRUNK_WITHIN_MS);
  return {
    figures: {
      ...{ [`${unit} before`]: usual ?? 0, [`${unit} at most`]: most },
      ...{ 'third pod ready after, s': grown ?? 'never', 'gone after, s': shrunk ?? 'never' },
      ...{ 'of the crowd answered': answered, 'of the crowd refused': refused },
    },
    faults: [
      ...(grown === undefined ? [`no third pod of ${program} within ${GROWN_WITHIN_MS / 1_000} s`] : []),
      ...(grown !== undefined && shrunk === undefined ? [`the third pod of ${program} stays`] : []),
    ],
  };
}

/** Seconds until a program has so many pods that are ready; undefined when that takes too long. */
async function untilPods(
  { api }: Product,
  program: string,
  count: number,
  withinMs: number,
  look: () => Promise<void> = async () => undefined,
): Promise<number | undefined> {
  const begun = performance.now();
  const took = await until(`${count} pods of ${program}`, withinMs, async () => {
    await look();
    return (await podsOf(api)).filter((pod) => pod.program === program && pod.ready).length === count;
  }).catch((error: Error) => {
    if (performance.now() - begun < withinMs) throw error;
    return undefined;
  });
  return took === undefined ? undefined : Math.round(took / 1_000);
}

/** What the autoscaler of a program has measured of a pod: percent of its request, jobs or calls; undefined before it has seen anything. */
async function measuredBy({ api }: Product, program: string): Promise<number | undefined> {
  const { body } = await api.call('GET', `${AUTOSCALERS}/ces-${program}`);
  const [metric] = (body as Autoscaler).status?.currentMetrics ?? [];
  const { current } = metric?.resource ?? metric?.external ?? metric?.pods ?? {};
  return current?.averageUtilization ?? quantity(current?.averageValue);
}

interface Autoscaler {
  readonly status?: {
    readonly currentMetrics?: readonly Readonly<
      Partial<Record<'resource' | 'external' | 'pods', { current?: Measured }>>
    >[];
  };
}

interface Measured {
  readonly averageUtilization?: number;
  readonly averageValue?: string;
}

/** Of Kubernetes, as `76500m` or `3`. */
function quantity(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return text.endsWith('m') ? Number(text.slice(0, -1)) / 1_000 : Number(text);
}
