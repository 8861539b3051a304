import { setTimeout as pause } from 'node:timers/promises';
import { run } from '@ces/chart/check/programs';
import type { UnderCalls } from '../product/load.ts';
import type { Product } from '../product/product.ts';

const BROKEN_MS = 60_000;
const RULES = `table ip slow_names {
  chain forward {
    type filter hook forward priority -300;
    udp dport 53 numgen random mod 2 == 0 drop
  }
}
`;

/**
 * Slows down and then blocks DNS for a minute. Open connections must stay, and no call may be lost.
 */
export async function tryNamesAway(product: Product, eachIsAnswered: UnderCalls): Promise<void> {
  await eachIsAnswered('every second question for a name lost for a minute', async () => {
    await product.shell(`nft -f - <<'END'\n${RULES}END`);
    try {
      await pause(BROKEN_MS);
    } finally {
      await run('nft', ['delete', 'table', 'ip', 'slow_names']);
    }
    return undefined;
  });
  await eachIsAnswered('no names for a minute', async () => {
    const dns = '--namespace kube-system deployment/coredns';
    await product.shell(`kubectl scale --replicas 0 ${dns}`);
    await pause(BROKEN_MS);
    await product.shell(`kubectl scale --replicas 1 ${dns}`);
    await product.shell(`kubectl rollout status ${dns} --timeout 2m`);
    return undefined;
  });
}
