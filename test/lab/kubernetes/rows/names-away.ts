import { setTimeout as pause } from 'node:timers/promises';
import type { UnderCalls } from '../product/load.ts';
import type { Product } from '../product/product.ts';

const BROKEN_MS = 60_000;

/** Takes DNS away for a minute. Open connections must stay, and no call may be lost. */
export async function tryNamesAway(product: Product, eachIsAnswered: UnderCalls): Promise<void> {
  await eachIsAnswered('no names for a minute', async () => {
    const dns = '--namespace kube-system deployment/coredns';
    const replicas = await product.shell(`kubectl get ${dns} --output jsonpath={.spec.replicas}`);
    await product.shell(`kubectl scale --replicas 0 ${dns}`);
    await pause(BROKEN_MS);
    await product.shell(`kubectl scale --replicas ${replicas} ${dns}`);
    await product.shell(`kubectl rollout status ${dns} --timeout 2m`);
    return undefined;
  });
}
