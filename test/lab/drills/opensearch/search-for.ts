import { create } from '@bufbuild/protobuf';
import { KINDS } from '@ces/proto/catalog';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { PlanSchema, Retrieval, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import type { History, Judgment } from './history.ts';
import type { Replica } from './replicas.ts';

export type Ending = 'ok' | 'partial' | 'unavailable' | 'stale' | 'failed';

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
/** Retryable codes. */
const DECLARED: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.ResourceExhausted]);
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
 * Withdrawn evidence is stale in any answer, and missing evidence in a complete one. Hydration
 * removes withdrawn evidence from an answer to a subscriber.
 */
function endingOf({ missing, withdrawn }: Judgment, truncated: boolean): Pick<Searched, 'ending' | 'reason'> {
  if (withdrawn.length > 0) return { ending: 'stale', reason: `shows what was withdrawn: ${withdrawn.slice(0, 5)}` };
  if (truncated) return { ending: 'partial', reason: '' };
  if (missing.length > 0) return { ending: 'stale', reason: `lacks ${missing.length}: ${missing.slice(0, 5)}` };
  return { ending: 'ok', reason: '' };
}

function searchOfWord(word: string) {
  return {
    plan: create(PlanSchema, {
      version: 1,
      planner: 'drill',
      retrieval: Retrieval.LEXICAL,
      activity: [{ words: [word], weight: 1, text: word }],
    }),
    filters: create(SearchFiltersSchema, { kinds: KINDS.filter((kind) => kind !== Kind.COMPANY_PROFILE) }),
  };
}
