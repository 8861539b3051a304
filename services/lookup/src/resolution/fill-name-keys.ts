import type { Pool, Queryable } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { findWithoutNameKey, writeNameKeys } from '../db/company.ts';
import { legalName, nameKey } from './legal-name.ts';
import { withSharedResolutionLock } from './resolution-lock.ts';
import type { ResolutionVocabulary } from './vocabulary.ts';

const PAGE = 500;

/** Normalises, beside the calls, the names of companies that were recorded before names were; disposing it waits for the page in hand. */
export function startFillingNameKeys(pool: Pool, vocabulary: ResolutionVocabulary, logger: Logger): AsyncDisposable {
  const ending = new AbortController();
  const filling = fillNameKeys(pool, vocabulary, ending.signal).catch((error: unknown) =>
    logger.warn({ err: error }, 'names not normalised; the next start tries again'),
  );
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await filling;
    },
  };
}

/** The same, awaited; in small transactions. */
export async function fillNameKeys(pool: Pool, vocabulary: ResolutionVocabulary, signal: AbortSignal): Promise<void> {
  for (let more = true; more && !signal.aborted; )
    more = await withSharedResolutionLock(pool, (client) => fillPage(client, vocabulary));
}

/** False: there are no more. */
async function fillPage(client: Queryable, vocabulary: ResolutionVocabulary): Promise<boolean> {
  const companies = await findWithoutNameKey(client, PAGE);
  const keys = companies.map((one) => ({ ...one, nameKey: nameKey(vocabulary, legalName(vocabulary, one.name)) }));
  if (keys.length > 0) await writeNameKeys(client, keys);
  return companies.length === PAGE;
}
