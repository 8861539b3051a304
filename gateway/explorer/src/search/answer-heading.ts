import { nextStepAfter } from '../errors/advice.ts';
import type { Run } from '../runs/run.ts';
import { count } from '../words/units.ts';
import type { PageAnswer } from './ask-page.ts';

/** The words before the query: what came of the search so far. */
export function headingOf(run: Pick<Run, 'pages'>, answers: readonly Pick<PageAnswer, 'result'>[]): string {
  const companies = answers.reduce((sum, { result }) => sum + result.companies.length, 0);
  if (answers.length > 0) return `${companies === 0 ? 'No companies' : count(companies, 'company', 'companies')} for`;
  const ended = run.pages.find(({ endedBy }) => endedBy !== undefined)?.endedBy;
  if (ended === undefined) return 'Searching for';
  // A stored failure is final; every other end may still become an answer under its key.
  return nextStepAfter(ended) === 'same-key' ? 'No answer yet for' : 'Failed:';
}
