import { run } from '@ces/chart/check/programs';
import { attachedTo } from './attachments.ts';
import { failureOf } from './failure.ts';
import type { Tools } from './tools.ts';

const SIGNATURE = 'application/vnd.cncf.notary.signature';

/** Signs a reference in this run's registry with a key of notation, unless it is signed already. */
export async function signOnce({ oras, paths }: Tools, reference: string, key: string): Promise<void> {
  if ((await attachedTo(oras, reference, SIGNATURE)).length > 0) return;
  await run(paths.notation, ['sign', '--insecure-registry', '--key', key, reference]).catch((error: unknown) => {
    throw failureOf(`notation did not sign with the key ${key}`, error);
  });
}
