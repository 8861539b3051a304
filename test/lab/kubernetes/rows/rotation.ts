import { hash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { REPOSITORY } from '@ces/topology/services';
import { forward } from '../forward.ts';
import { readSteps } from '../product/guide.ts';
import type { UnderCalls } from '../product/load.ts';
import { metricsOf, NAMESPACE, type Product, podsOf } from '../product/product.ts';
import { readSecret, writeSecret } from '../product/secret.ts';
import type { Seen } from '../report.ts';

/** The kubelet syncs a pod every minute, and programs reread their files every few seconds. */
const RENEWED_MS = 90_000;
const ADMIN_PORT = 9090;
const GUIDE = path.join(REPOSITORY, 'deploy/docs/security.md');

/** Rotates secrets under load, as in deploy/docs/security.md. */
export async function tryRotation(product: Product, noneFails: UnderCalls): Promise<void> {
  await noneFails('a token between programs changed', changeToken);
  await noneFails('a new pepper, the old one kept', () => addPepper(product));
  for (const { title, commands } of await readSteps(GUIDE, '## Tokens of ServiceAccounts'))
    await noneFails(`tokens of ServiceAccounts, step ${title.slice(0, 1)}`, async () => {
      await product.shell(commands);
      return title.startsWith('3.') ? await proofs() : undefined;
    });
}

/** The ledger reads its peppers only at start. */
async function addPepper(product: Product): Promise<undefined> {
  const old = await readSecret(NAMESPACE, 'ces-ledger', 'CES_LEDGER_PEPPERS');
  if (old === '') throw new Error('the ledger has no pepper');
  await writeSecret(NAMESPACE, 'ces-ledger', {
    CES_LEDGER_PEPPERS: `lab=${randomBytes(32).toString('hex')},${old}`,
  });
  const ledger = `--namespace ${NAMESPACE} deployment/ces-ledger`;
  await product.shell(`kubectl rollout restart ${ledger}`);
  await product.shell(`kubectl rollout status ${ledger} --timeout 5m`);
}

/** Changes the token of operations for the ledger in three steps without a restart. */
async function changeToken(): Promise<undefined> {
  const token = randomBytes(32).toString('hex');
  const digest = hash('sha256', token);
  const digests = (await readSecret(NAMESPACE, 'ces-ledger', 'CES_RPC_CALLER_DIGESTS')).split(',');
  const kept = digests.filter((pair) => !pair.startsWith('operations='));
  if (kept.length !== digests.length - 1) throw new Error('the ledger knows no token of operations');
  await writeSecret(NAMESPACE, 'ces-ledger', {
    CES_RPC_CALLER_DIGESTS: [...digests, `operations=${digest}`].join(','),
  });
  await pause(RENEWED_MS);
  const tokens = (await readSecret(NAMESPACE, 'ces-operations', 'CES_RPC_TOKENS')).split(',');
  const renewed = tokens.map((pair) => (pair.startsWith('ledger=') ? `ledger=${token}` : pair));
  await writeSecret(NAMESPACE, 'ces-operations', { CES_RPC_TOKENS: renewed.join(',') });
  await pause(RENEWED_MS);
  // The ledger now rejects the old token, so calls that still use it would fail.
  await writeSecret(NAMESPACE, 'ces-ledger', {
    CES_RPC_CALLER_DIGESTS: [...kept, `operations=${digest}`].join(','),
  });
  await pause(RENEWED_MS);
}

/** Counts the credentials of calls since all pods were replaced. */
async function proofs(): Promise<Seen> {
  await pause(RENEWED_MS);
  const counts = { accounts: 0, others: 0 };
  for (const { name } of await podsOf()) {
    await using way = await forward(NAMESPACE, `pod/${name}`, ADMIN_PORT);
    for (const { series, value } of await metricsOf(way, /^ces_rpc_caller_proofs_total\{/))
      counts[series.includes('by="service_account"') ? 'accounts' : 'others'] += value;
  }
  return {
    figures: { 'calls with a token of an account': counts.accounts, 'with another': counts.others },
    faults: counts.accounts > 0 && counts.others === 0 ? [] : ['not every call was proven by an account'],
  };
}
