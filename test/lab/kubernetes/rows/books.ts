import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Judgeable, judgeAnywhere } from '../../drills/rolling/judge.ts';
import type { Subscriber } from '../product/load.ts';
import { NAMESPACE, ownerUrl, type Product, podsOf, secretsOf } from '../product/product.ts';
import type { Report } from '../report.ts';

/**
 * Checks that databases agree with the subscriber's answers, and that no pod's log contains a
 * secret.
 */
export async function tryBooks(product: Product, subscriber: Subscriber, report: Report): Promise<void> {
  await report.row('the books after all of it', async () => {
    const { attempts, account, faultWindows } = subscriber;
    const { CES_RPC_TOKEN: admin = '' } = await secretsOf(product.folder, 'admin');
    const stack: Judgeable = {
      ...{ account, gatewayUrl: product.proxyUrl, secrets: { admin }, logDirectory: await writeLogs(product) },
      databases: {
        operations: await ownerUrl(product, 'operations'),
        ledger: await ownerUrl(product, 'ledger'),
      },
    };
    return { figures: { calls: attempts.length }, faults: await judgeAnywhere(stack, attempts, faultWindows) };
  });
}

async function writeLogs(product: Product): Promise<string> {
  const folder = path.join(product.folder, 'pod-logs');
  await mkdir(folder, { recursive: true });
  for (const { name } of await podsOf()) {
    const log = await product.shell(`kubectl --namespace ${NAMESPACE} logs ${name}`);
    await writeFile(path.join(folder, `${name}.log`), log);
  }
  return folder;
}
