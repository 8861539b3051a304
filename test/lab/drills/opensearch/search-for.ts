import { ConnectError } from '@connectrpc/connect';
import type { History, Judgment } from './history.ts';
import type { Replica } from './replicas.ts';
import { DECLARED, searchOfWord } from './search-of-word.ts';

/** How a search ended. */
export type Ending = 'ok' | 'partial' | 'unavailable' | 'wrong' | 'failed';

/** A search of one word. */
export interface Searched extends Judgment {
  /** When it was asked, in milliseconds of the process. */
  readonly at: number;
  readonly ms: number;
  readonly ending: Ending;
  readonly replica: string;
  /** How far the index was by the answer. */
  readonly position: bigint;
  /** What was wrong, or why it failed. */
  readonly reason: string;
}

const CANDIDATES = 2_000;
const COMPANIES = 1_000;
const NOTHING: Judgment = { missing: [], withdrawn: [] };

/** Asks a replica for a word and compares the answer with what was written. */
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

/** What is withdrawn is wrong in any answer; what is missing, in one that says it is whole. */
function endingOf({ missing, withdrawn }: Judgment, truncated: boolean): Pick<Searched, 'ending' | 'reason'> {
  if (withdrawn.length > 0) return { ending: 'wrong', reason: `shows what was withdrawn: ${withdrawn.slice(0, 5)}` };
  if (truncated) return { ending: 'partial', reason: '' };
  if (missing.length > 0) return { ending: 'wrong', reason: `lacks ${missing.length}: ${missing.slice(0, 5)}` };
  return { ending: 'ok', reason: '' };
}
