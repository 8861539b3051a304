import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { judge } from '../../checks/judge.ts';
import type { SnapshotAddresses } from '../../checks/snapshot.ts';
import type { Subscriber } from '../product/load.ts';
import { NAMESPACE, ownerUrl, type Product, secretsOf } from '../product/product.ts';
import type { Report } from '../report.ts';

/**
 * Checks that databases agree with the subscriber's answers, and that no pod's log contains a
 * secret.
 */
export async function tryBooks(product: Product, subscriber: Subscriber, report: Report): Promise<void> {
  await report.row('the books after all of it', async () => {
    const { CES_RPC_TOKEN: admin = '' } = await secretsOf(product.folder, 'admin');
    const databases = {
      operations: await ownerUrl(product, 'operations'),
      ledger: await ownerUrl(product, 'ledger'),
    };
    const faults = await judgeBooks(product, subscriber, databases, { admin });
    return { figures: { calls: subscriber.attempts.length }, faults };
  });
}

export async function judgeBooks(
  product: Product,
  { account, attempts, faultWindows }: Subscriber,
  databases: SnapshotAddresses,
  secrets: Readonly<Record<string, string>>,
): Promise<string[]> {
  const logDirectory = path.join(product.folder, 'pod-logs');
  await mkdir(logDirectory, { recursive: true });
  const own = '--selector app.kubernetes.io/instance=ces --tail=-1 --prefix';
  await product.shell(`kubectl --namespace ${NAMESPACE} logs ${own} > ${path.join(logDirectory, 'pods.log')}`);
  const stack = { accounts: [account], gatewayUrl: product.proxyUrl, secrets, databases, logDirectory };
  return await judge(stack, attempts, faultWindows);
}
