import type { Pool, Queryable } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import { retry } from '@ces/chassis/service/retry';
import type { Logger } from '@ces/chassis/telemetry/log';
import { findAfter, lockCanonicalCompanies, writeNameKeys } from '../db/company.ts';
import { readFormerNames, writeFormerNameKeys } from '../db/company-former-name.ts';
import { readNameKeyVersion, writeNameKeyVersion } from '../db/name-key-version.ts';
import { keyOfName, NAME_KEY_VERSION } from '../matching/legal-name.ts';
import type { ResolutionVocabulary } from '../matching/vocabulary.ts';
import { withSharedResolutionLock } from './resolution-lock.ts';

const PAGE = 500;
/** After a deadlock, continues with the page that was not written. */
const PATIENTLY = { attempts: Number.POSITIVE_INFINITY, firstPauseMs: 500, longestPauseMs: 30_000 };

/** Names with keys of older rules, in the background. Disposal waits for the current page. */
export function startFillingNameKeys(pool: Pool, vocabulary: ResolutionVocabulary, logger: Logger): AsyncDisposable {
  const ending = new AbortController();
  const filling = retry(() => fillNameKeys(pool, vocabulary, ending.signal), {
    ...PATIENTLY,
    signal: ending.signal,
    retryIf: isTransient,
  }).catch((error: unknown) => {
    if (!ending.signal.aborted) logger.warn({ err: error }, 'names not normalised; the next start tries again');
  });
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await filling;
    },
  };
}

export async function fillNameKeys(pool: Pool, vocabulary: ResolutionVocabulary, signal: AbortSignal): Promise<void> {
  if ((await readNameKeyVersion(pool)) >= NAME_KEY_VERSION) return;
  for (let after: bigint | undefined = 0n; after !== undefined && !signal.aborted; ) {
    const from: bigint = after;
    after = await withSharedResolutionLock(pool, (client) => renewPage(client, vocabulary, from));
  }
  if (!signal.aborted) await writeNameKeyVersion(pool, NAME_KEY_VERSION);
}

async function renewPage(
  client: Queryable,
  vocabulary: ResolutionVocabulary,
  after: bigint,
): Promise<bigint | undefined> {
  const companies = await findAfter(client, after, PAGE);
  const former = await readFormerNames(
    client,
    companies.map(({ companyId }) => companyId),
  );
  const changed = <T extends { readonly name: string; readonly nameKey: string }>(names: readonly T[]) =>
    names
      .map((one) => ({ ...one, before: one.nameKey, nameKey: keyOfName(vocabulary, one.name) }))
      .filter(({ before, nameKey }) => before !== nameKey);
  const [names, formerNames] = [changed(companies), changed(former)];
  await lockAll(client, [...names, ...formerNames]);
  if (names.length > 0) await writeNameKeys(client, names);
  if (formerNames.length > 0) await writeFormerNameKeys(client, formerNames);
  return companies.length === PAGE ? companies.at(-1)?.companyId : undefined;
}

/** Locks as other writers do. Key writes skip names that have changed since. */
async function lockAll(client: Queryable, named: readonly { readonly companyId: bigint }[]): Promise<void> {
  if (named.length === 0) return;
  await lockCanonicalCompanies(
    client,
    named.map(({ companyId }) => companyId),
  );
}
