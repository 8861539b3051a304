import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import { type Counter, metrics } from '@opentelemetry/api';
import { createCircuit } from '../endpoint/circuit.ts';
import { EndpointFailure } from '../endpoint/endpoint.ts';
import type { RankedCompany } from '../ranking/rank-companies.ts';
import { type Reorderer, reorderLimitMs } from '../ranking/reorderer.ts';

/** A model that says how well companies answer, and what its scores and those of words come to. */
export interface CompanyScorer<Score extends number | undefined = number | undefined> {
  /** As the log calls it. */
  readonly name: string;
  /** Counts searches by what came of them. */
  readonly counter: { readonly name: string; readonly description: string };
  /** Companies whose order it may change, the best: what is worth its time. */
  readonly companies: number;
  /** A number a company, on a scale of its own, in their order; undefined where it knows none. */
  score(query: string, companies: readonly RankedCompany[], signal: AbortSignal): Promise<readonly Score[]>;
  /** The new scores of companies, 0..1, from those by words and its own. */
  combine(byWords: readonly number[], scores: readonly Score[]): readonly number[];
}

export interface ReorderSettings {
  /** Longest wait for the model, in milliseconds. */
  readonly timeoutMs: number;
  /** Searches that wait for it at once, at most. */
  readonly concurrency: number;
}

/** What became of a search that a model was to order; `indifferent`: it told no two companies apart. */
const OUTCOMES = ['reordered', 'indifferent', 'failed', 'busy', 'paused'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The first companies in an order of their scores by words and by a model; whatever fails leaves the order to words. */
export function reorderByScores<Score extends number | undefined>(
  scorer: CompanyScorer<Score>,
  { timeoutMs: settingMs, concurrency }: ReorderSettings,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Reorderer {
  const circuit = createCircuit(clock);
  const outcomes = countOutcomes(scorer);
  let waiting = 0;
  return {
    async reorder(query, companies, { signal, timeoutMs }) {
      if (companies.length < 2) return undefined;
      const count = (outcome: Outcome) => outcomes.add(1, { outcome });
      if (waiting >= concurrency) return void count('busy');
      if (!circuit.mayAsk()) return void count('paused');
      waiting += 1;
      try {
        const best = companies.slice(0, scorer.companies);
        const limited = AbortSignal.any([signal, AbortSignal.timeout(reorderLimitMs(settingMs, timeoutMs))]);
        const scores = await scorer.score(query, best, limited);
        circuit.succeeded();
        const isIndifferent = new Set(scores.filter((score) => score !== undefined)).size < 2;
        count(isIndifferent ? 'indifferent' : 'reordered');
        if (isIndifferent) return undefined;
        return [...inNewOrder(best, scorer, scores), ...companies.slice(scorer.companies)];
      } catch (error) {
        signal.throwIfAborted();
        const isOfModel = error instanceof EndpointFailure;
        if (isOfModel) circuit.failed();
        const reason = isOfModel ? error.message : 'what it reads was not there in time';
        count('failed');
        logger.warn({ reason }, `${scorer.name} failed: words alone give the order`);
        return undefined;
      } finally {
        waiting -= 1;
      }
    },
  };
}

/** The companies with their new scores, the best first; equal ones stay as words have them. */
function inNewOrder<Score extends number | undefined>(
  companies: readonly RankedCompany[],
  scorer: CompanyScorer<Score>,
  scores: readonly Score[],
): RankedCompany[] {
  const byWords = companies.map(({ score }) => score);
  const combined = scorer.combine(byWords, scores);
  return companies
    .map((company, at) => ({ ...company, score: combined[at] ?? company.score }))
    .toSorted((a, b) => b.score - a.score);
}

/** Each series is shown as 0 before its first, so that its increase is seen. */
function countOutcomes({ counter: { name, description } }: Pick<CompanyScorer, 'counter'>): Counter {
  const outcomes = metrics.getMeter('ces').createCounter(name, { description });
  for (const outcome of OUTCOMES) outcomes.add(0, { outcome });
  return outcomes;
}
