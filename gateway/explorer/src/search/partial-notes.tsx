import { LIMITATIONS, STOP_REASONS, sentenceOf } from '../coverage/sentences.ts';
import { dayOf, minuteOf } from '../words/dates.ts';
import { count } from '../words/units.ts';
import type { PageAnswer } from './ask-page.ts';
import styles from './partial-notes.module.css';

/** Where the answer is partial and why, a sentence each. */
export function PartialNotes({ answer }: { answer: PageAnswer | undefined }) {
  if (!answer) return null;
  return (
    <ul className={styles.notes}>
      {sentencesOf(answer).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

function sentencesOf({ result }: PageAnswer): readonly string[] {
  const { coverage, withheld_units, candidate_limit, as_of } = result;
  return [
    sentenceOf(STOP_REASONS, coverage.stop_reason),
    shortlist(coverage.available_companies, coverage.target_companies),
    cutoff(coverage.occurred_after),
    `The best ${candidate_limit} companies were candidates, as the record stood on ${minuteOf(as_of)}.`,
    withheld_units === 0
      ? ''
      : `${count(withheld_units, 'company', 'companies')} of this page lost their evidence since and are withheld.`,
    ...coverage.limitations.map((code) => sentenceOf(LIMITATIONS, code)),
  ].filter((sentence) => sentence !== '');
}

function shortlist(available: number | undefined, target: number | undefined): string {
  if (available === undefined) return '';
  const goal = target === undefined ? '' : `, where ${count(target, 'company was', 'companies were')} aimed for`;
  return `The shortlist holds ${count(available, 'company', 'companies')}${goal}; it is no total of the market.`;
}

function cutoff(occurredAfter: string | null | undefined): string {
  if (occurredAfter === undefined) return '';
  if (occurredAfter === null) return 'No date of events restricts it.';
  return `Only events from ${dayOf(occurredAfter)} on were searched.`;
}
