import { ConnectError } from '@connectrpc/connect';
import type { History, Judgment } from './history.ts';
import type { Replica } from './replicas.ts';
import { DECLARED, searchOfWord } from './search-of-word.ts';

export type Ending = 'ok' | 'partial' | 'unavailable' | 'wrong' | 'failed';

export interface Searched extends Judgment {
  readonly at: number;
  readonly ms: number;
  readonly ending: Ending;
  readonly replica: string;
  readonly position: bigint;
  readonly reason: string;
}

const CANDIDATES = 2_000;
const COMPANIES = 1_000;
const NOTHING: Judgment = { missing: [], withdrawn: [] };

export async function searchFor(word: string, replica: Replica, history: History): Promise<Searched> {
  const at = performance.now();
  const about = () => ({ at, ms: performance.now() - at, replica: replica.name });
  try {
    const answer = await replica.search.search({
      ...searchOfWord(word),
      candidateLimit: CANDIDATES,
      maxCompanies: COMPANIES,
    });
    const found = new Set(answer.companies.flatMap(({ observationIds }) => observationIds));
    const position = answer.position?.tx ?? 0n;
    const judged = history.judge(word, position, found);
    return { ...about(), position, ...judged, ...endingOf(judged, answer.candidatesTruncated) };
  } catch (error) {
    const { code, message } = ConnectError.from(error);
    const ending = DECLARED.has(code) ? 'unavailable' : 'failed';
    return { ...about(), position: 0n, ...NOTHING, ending, reason: message };
  }
}

/**
 * Withdrawn evidence is wrong in any answer. Missing evidence is wrong only in a complete answer.
 */
function endingOf({ missing, withdrawn }: Judgment, truncated: boolean): Pick<Searched, 'ending' | 'reason'> {
  if (withdrawn.length > 0) return { ending: 'wrong', reason: `shows what was withdrawn: ${withdrawn.slice(0, 5)}` };
  if (truncated) return { ending: 'partial', reason: '' };
  if (missing.length > 0) return { ending: 'wrong', reason: `lacks ${missing.length}: ${missing.slice(0, 5)}` };
  return { ending: 'ok', reason: '' };
}
