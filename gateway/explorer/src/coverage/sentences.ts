import { NOT_RECORDED } from '@ces/proto/not-recorded';

export const STOP_REASONS: Readonly<Record<string, string>> = {
  shortlist_page: 'This page was cut from the shortlist of the first page; nothing new was looked for.',
  target_reached: 'The shortlist has as many companies as you aimed for; there may be more.',
  page_filled: 'The page is full; looking stopped there, and there may be more.',
  time_budget_reached: 'Looking stopped when its time was up; a background search may find more.',
  acquisition_budget_reached: 'Looking stopped at the most that one search may fetch from sources.',
  source_unavailable: 'A source could not be reached, so what it holds is missing.',
  candidate_limit_reached: 'Only the best candidates were considered; a larger target considers more.',
  sources_exhausted: 'Everything that the sources here hold on it was considered.',
};

export const LIMITATIONS: Readonly<Record<string, string>> = {
  limited_source_coverage: 'The sources cover a part of all companies and events.',
  relevance_not_validated:
    'The best stand first, and nothing was left out for matching poorly: read the list from the top.',
  lexical_only: 'Matched by words and their forms, not by meaning: other words for the same thing may be missed.',
  source_unavailable: 'A source could not be reached while this search ran.',
  acquisition_disabled: 'Nothing new was fetched for this search: it saw what the record already held.',
  candidates_truncated: 'So much matched that some of it was left out before ranking.',
  evidence_withdrawn: 'Some of what was delivered has since lost its evidence and is no longer shown.',
  ...NOT_RECORDED,
};

/** An unknown code, from a newer service, is shown as it is. */
export function sentenceOf(table: Readonly<Record<string, string>>, code: string): string {
  const sentence = Object.hasOwn(table, code) ? table[code] : undefined;
  return sentence ?? `The service says “${code.replaceAll('_', ' ')}”.`;
}
