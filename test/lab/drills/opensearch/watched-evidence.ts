import { setTimeout as pause } from 'node:timers/promises';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { ConnectError } from '@connectrpc/connect';
import type { Evidence } from '../../load/evidence.ts';
import { DECLARED, searchOfWord } from './search-of-word.ts';

export interface Watched {
  recorded: number;
  withdrawn: number;
  searches: number;
  unavailable: number;
  readonly violations: string[];
}

export interface WatchOptions {
  readonly evidence: Evidence;
  readonly lookupUrl: string;
  readonly searchUrl: string;
  readonly callerToken: string;
}

const TRIED_EVERY_MS = 200;
const BETWEEN_MS = 100;
const TIMES = 50;
const ACTIVITY = 'foundry';

/**
 * Records evidence with a unique word, searches it by its transaction, withdraws it and searches
 * again, until `signal`. Searches must find recorded and never withdrawn evidence. Every third
 * piece remains and is searched again at the end.
 */
export async function watchEvidence(options: WatchOptions, signal: AbortSignal): Promise<Watched> {
  const { evidence, lookupUrl, searchUrl, callerToken } = options;
  const call = { callerToken, reason: 'a drill', timeoutMs: 10_000 };
  const record = createRpcClient(RecordService, { url: lookupUrl, ...call });
  const search = createRpcClient(SearchService, { url: searchUrl, ...call });
  const watched: Watched = { recorded: 0, withdrawn: 0, searches: 0, unavailable: 0, violations: [] };
  const stayed = new Map<string, bigint>();
  const find = async (word: string, waitForTx: bigint) => {
    for (let time = 0; time < TIMES; time += 1) {
      watched.searches += 1;
      try {
        const { companies } = await search.search({
          ...searchOfWord(word),
          candidateLimit: 100,
          maxCompanies: 10,
          waitForTx,
        });
        return companies.flatMap(({ observationIds }) => observationIds);
      } catch (error) {
        if (!DECLARED.has(ConnectError.from(error).code)) throw error;
        watched.unavailable += 1;
        await pause(TRIED_EVERY_MS);
      }
    }
    throw new Error(`no search for ${word} was answered`);
  };
  for (let at = 0; !signal.aborted; at += 1) {
    const word = `zorvixk${wordOf(at)}`;
    const recorded = await evidence.record(`${word} ${ACTIVITY}`, `watched${at}`);
    watched.recorded += 1;
    const [observationId] = await find(word, recorded);
    if (observationId === undefined) watched.violations.push(`${word} was recorded by ${recorded} and not found`);
    else if (at % 3 === 0) stayed.set(word, recorded);
    else {
      const { tx } = await record.withdrawEvidence({ observationId, reason: 'a drill' });
      watched.withdrawn += 1;
      if ((await find(word, tx)).length > 0) watched.violations.push(`${word} was withdrawn by ${tx} and shown`);
    }
    await pause(BETWEEN_MS);
  }
  for (const [word, tx] of stayed)
    if ((await find(word, tx)).length === 0) watched.violations.push(`${word} was recorded by ${tx} and is lost`);
  return watched;
}

/** Encodes a number as letters, so that no word is a misspelling of another. */
function wordOf(number: number): string {
  const letters = number.toString(20).replace(/[0-9]/g, (digit) => 'klmnopqrst'[Number(digit)] ?? '');
  return letters.repeat(3);
}
