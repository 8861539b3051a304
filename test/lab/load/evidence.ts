import { setTimeout as pause } from 'node:timers/promises';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { companyRecord, facilities, observationRecord } from '../../support/record.ts';
import { ledgerAdmin } from './subscribers.ts';

export const WORDS = ['steel works', 'bakery', 'foundry', 'saw mill'] as const;
export const COMPANIES_PER_WORD = 12;

/** Hostnames of the companies that `populate` records. */
export const HOSTS = WORDS.flatMap((_, word) =>
  Array.from({ length: COMPANIES_PER_WORD }, (_, at) => hostOf(`base${word}x${at}`)),
);

export interface Evidence {
  record(words: string, name: string): Promise<bigint>;
  /** Resolves with the ms until the index applied `tx`. Throws after `withinMs`. */
  untilIndexed(tx: bigint, withinMs: number): Promise<number>;
}

export function evidence(lookupUrl: string, searchUrl: string, callerToken: string): Evidence {
  const record = createRpcClient(RecordService, { url: lookupUrl, callerToken, reason: 'a drill', timeoutMs: 30_000 });
  const index = createRpcClient(SearchAdminService, {
    url: searchUrl,
    callerToken,
    reason: 'a drill',
    timeoutMs: 5_000,
  });
  const position = async () => {
    const { lag, position: at } = await index.getIndexStatus({});
    return { lag, tx: at?.tx ?? 0n };
  };
  return {
    async record(words, name) {
      const { companies, observations } = facilities(1, words);
      const rename = (key: string) => `${name}-${key}`;
      await record.recordCompanies({
        source: 'chaos',
        companies: companies.map((one) => companyRecord({ ...one, key: rename(one.key), hostnames: [hostOf(name)] })),
      });
      const { tx } = await record.recordEvidence({
        source: 'chaos',
        observations: observations.map((one) =>
          observationRecord({
            ...one,
            key: rename(one.key),
            companyKey: rename(one.companyKey),
            observedFact: `${name} opens a ${words}`,
          }),
        ),
      });
      return tx;
    },
    async untilIndexed(tx, withinMs) {
      const begun = performance.now();
      for (;;) {
        const at = await position().catch(() => undefined);
        const took = performance.now() - begun;
        if (at && at.lag === 0n && at.tx >= tx) return took;
        if (took > withinMs)
          throw new Error(`not searchable after ${Math.round(took)} ms: ${JSON.stringify(at, show)}`);
        await pause(50);
      }
    },
  };
}

/** Fills the record of a cluster. Returns clients for its operator. */
export async function populate({ urlOf, secrets: { admin_token: token = '' } }: Operated) {
  const record = evidence(urlOf('lookup'), urlOf('search'), token);
  await fillRecord(record);
  return { evidence: record, ledger: ledgerAdmin(urlOf('ledger'), token) };
}

interface Operated {
  readonly secrets: Readonly<Record<string, string>>;
  urlOf(service: 'lookup' | 'search' | 'ledger'): string;
}

async function fillRecord(evidence: Evidence): Promise<void> {
  let last = 0n;
  for (const [at, words] of WORDS.entries())
    for (let n = 0; n < COMPANIES_PER_WORD; n += 1) last = await evidence.record(words, `base${at}x${n}`);
  await evidence.untilIndexed(last, 60_000);
}

export function hostOf(name: string): string {
  return `${name}.example`;
}

function show(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
