import { LIMITATIONS, STOP_REASONS, sentenceOf } from '../coverage/sentences.ts';
import type { CompanyResult } from '../session/client.ts';
import { dayOf, minuteOf } from '../words/dates.ts';
import { count } from '../words/units.ts';
import type { PageAnswer } from './ask-page.ts';
import styles from './partial-notes.module.css';

interface PartialNotesProps {
  readonly pages: readonly PageAnswer[];
  /** True: one line with the number of sentences, which opens. */
  readonly collapsed?: boolean;
}

export function PartialNotes({ pages, collapsed = false }: PartialNotesProps) {
  const sentences = sentencesOf(pages.map(({ result }) => result));
  const list = (
    <ul className={styles.notes}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
  if (!collapsed) return list;
  return (
    <details className={styles.line}>
      <summary>Partial: {count(sentences.length, 'limit')} of this answer</summary>
      {list}
    </details>
  );
}

function sentencesOf(pages: readonly CompanyResult[]): readonly string[] {
  const [first] = pages;
  if (!first) return [];
  const { coverage, candidate_limit, as_of } = first;
  const withheld = pages.reduce((sum, { withheld_units }) => sum + withheld_units, 0);
  const isEmpty = pages.every(({ companies }) => companies.length === 0);
  const sentences = [
    ...pages.map((page) => sentenceOf(STOP_REASONS, page.coverage.stop_reason)),
    shortlist(coverage.available_companies, coverage.target_companies),
    cutoff(coverage.occurred_after),
    `At most the best ${count(candidate_limit, 'company', 'companies')} in the record as of ${minuteOf(as_of)} were considered.`,
    withheld === 0 ? '' : `Withheld without valid evidence: ${count(withheld, 'company', 'companies')}.`,
    ...pages.flatMap((page) =>
      page.coverage.limitations
        // Says how to read a list, so it says nothing of an empty one.
        .filter((code) => !(isEmpty && code === 'relevance_not_validated'))
        .map((code) => sentenceOf(LIMITATIONS, code)),
    ),
  ];
  return [...new Set(sentences)].filter((sentence) => sentence !== '');
}

function shortlist(available: number | undefined, target: number | undefined): string {
  if (available === undefined) return '';
  const goal = target === undefined ? '' : ` for a target of ${count(target, 'company', 'companies')}`;
  return `The shortlist holds ${count(available, 'company', 'companies')}${goal}. This is not the total of the market.`;
}

function cutoff(occurredAfter: string | null | undefined): string {
  if (occurredAfter === undefined) return '';
  if (occurredAfter === null) return 'Events of all dates were searched.';
  return `Only events since ${dayOf(occurredAfter)} were searched.`;
}
