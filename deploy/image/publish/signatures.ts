import { run } from '@ces/chart/check/programs';
import { attachedTo } from './attachments.ts';
import { failureOf } from './failure.ts';
import type { Tools } from './tools.ts';

const SIGNATURE = 'application/vnd.cncf.notary.signature';

/** Signs what a reference of the registry of this run names, by a key of notation's own settings, unless something did. */
export async function signOnce({ oras, paths }: Tools, reference: string, key: string): Promise<void> {
  if ((await attachedTo(oras, reference, SIGNATURE)).length > 0) return;
  await run(paths.notation, ['sign', '--insecure-registry', '--key', key, reference]).catch((error: unknown) => {
    throw failureOf(`notation did not sign with the key ${key}`, error);
  });
}
