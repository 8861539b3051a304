import { NOT_RECORDED } from '@ces/proto/not-recorded';

export const STOP_REASONS: Readonly<Record<string, string>> = {
  shortlist_page: 'This page comes from the first page’s shortlist. No new search ran.',
  target_reached: 'The shortlist reached your target. There may be more companies.',
  page_filled: 'The page is full, so the search stopped. There may be more companies.',
  time_budget_reached: 'The search reached its time limit. A background search may find more.',
  acquisition_budget_reached: 'The search reached its limit of requests to sources.',
  source_unavailable: 'A source was unavailable, so its results are missing.',
  candidate_limit_reached: 'Only the best candidates were considered. A larger target considers more.',
  sources_exhausted: 'All matching records of the sources were considered.',
};

export const LIMITATIONS: Readonly<Record<string, string>> = {
  limited_source_coverage: 'The sources cover only a part of all companies and events.',
  relevance_not_validated:
    'The estimate that leaves out poor matches is not exact for this query. The best matches come first.',
  lexical_only: 'The search matches words and their forms, not meanings. It may miss other words for the same thing.',
  source_unavailable: 'A source was unavailable during this search.',
  acquisition_disabled: 'This search fetched nothing new. It used only the existing record.',
  kept_months: 'The index has the newest months only. Nothing older was searched.',
  candidates_truncated: 'There were too many matches. Some were omitted before ranking.',
  place_not_met: 'Nothing that was found is in the place that you asked for.',
  time_not_met:
    'Nothing that was found happened in the time that you asked for. Without a date, a search covers the last 30 days.',
  fact_not_met: 'Nothing that was found states the amount, number, round or stage that you asked for.',
  evidence_withdrawn: 'Some delivered results no longer have valid evidence and are not shown.',
  ...NOT_RECORDED,
};

/** An unknown code, from a newer service, is shown as it is. */
export function sentenceOf(table: Readonly<Record<string, string>>, code: string): string {
  const sentence = Object.hasOwn(table, code) ? table[code] : undefined;
  return sentence ?? `The service reports “${code.replaceAll('_', ' ')}”.`;
}
