import type { RenderedAnswer } from '../../output/answer.ts';
import { describeCompanyLookup } from './company-lookup.ts';
import { describeCompanySearch } from './company-search.ts';
import { describeError } from './error.ts';
import { describePending } from './pending.ts';

export type AnswerBody = RenderedAnswer['body'];

/** A body in lines that a model can use, a fraction of its JSON: long texts are cut, only the newest evidence is quoted. */
export function describe(body: AnswerBody): string {
  if ('error' in body) return describeError(body);
  if ('lookups' in body) return describeCompanyLookup(body);
  if ('coverage' in body) return describeCompanySearch(body);
  if (body.usage.status !== 'delivered') return describePending(body);
  return JSON.stringify(body);
}
