import path from 'node:path';
import { applyFile } from '../apply.ts';
import type { Subscriber, UnderCalls } from '../product/load.ts';
import { NAMESPACE, type Product, podsOf } from '../product/product.ts';
import { until } from '../until.ts';

const MANIFEST = path.join(import.meta.dirname, '../manifests/metrics.yaml');
const AUTOSCALER = `/apis/autoscaling/v2/namespaces/${NAMESPACE}/horizontalpodautoscalers/ces-gateway`;
const MEASURED_WITHIN_MS = 180_000;
const GROWN_WITHIN_MS = 180_000;
const SHRUNK_WITHIN_MS = 240_000;
/** How many times the usual calls hurt. */
const TIMES = 5;

/** The gateway scales by processor time, as the example for production has it: up under more calls than it can take, some of which it refuses, down again after them. */
export async function tryAutoscaling(
  product: Product,
  subscriber: Subscriber,
  eachIsAnswered: UnderCalls,
): Promise<void> {
  await applyFile(product.api, MANIFEST);
  await product.shell(
    [
      `helm upgrade ces charts/ces --namespace ${NAMESPACE} --reset-then-reuse-values --wait --timeout 10m`,
      '--set components.gateway.autoscaling.enabled=true,components.gateway.autoscaling.maxReplicas=3',
      '--set components.gateway.autoscaling.cpuPercent=60,components.gateway.resources.requests.cpu=100m',
      // Soon enough to be waited for.
      '--set components.gateway.autoscaling.behavior.scaleDown.stabilizationWindowSeconds=30',
    ].join(' '),
  );
  await eachIsAnswered('the gateway scaled by its processor time', async () => {
    await until('the autoscaler knows what the gateway takes', MEASURED_WITHIN_MS, async () => {
      return (await usedPercent(product)) !== undefined;
    });
    const usual = await usedPercent(product);
    const many = subscriber.call('many calls', { times: TIMES });
    let most = 0;
    const grown = await until('a third gateway serves', GROWN_WITHIN_MS, async () => {
      most = Math.max(most, (await usedPercent(product)) ?? 0);
      return (await ready(product)) === 3;
    }).finally(() => many.stop());
    const shrunk = await until('two gateways are left', SHRUNK_WITHIN_MS, async () => (await ready(product)) === 2);
    return {
      figures: {
        ...{ 'of the request before, %': usual ?? 0, 'under many calls, %': most },
        ...{ 'third pod ready after, s': Math.round(grown / 1_000), 'gone after, s': Math.round(shrunk / 1_000) },
      },
    };
  });
}

async function ready({ api }: Product): Promise<number> {
  return (await podsOf(api)).filter(({ program, ready: is }) => program === 'gateway' && is).length;
}

/** Of what it asks for, as the autoscaler sees it; undefined before it has seen anything. */
async function usedPercent({ api }: Product): Promise<number | undefined> {
  const { body } = await api.call('GET', AUTOSCALER);
  const { status } = body as {
    status?: { currentMetrics?: readonly { resource?: { current?: { averageUtilization?: number } } }[] };
  };
  return status?.currentMetrics?.[0]?.resource?.current?.averageUtilization;
}
