import { Button } from '../ui/button.tsx';
import styles from './look-up.module.css';
import type { ReadInputs } from './read-inputs.ts';

interface ReadingNotesProps {
  readonly read: Extract<ReadInputs, { state: 'ready' }>;
  readonly onText: (text: string) => void;
}

const LISTED = 5;

export function ReadingNotes({ read: { values, repeated, rewritten }, onText }: ReadingNotesProps) {
  const withWww = values.filter((value) => value.startsWith('www.'));
  if (repeated.length + rewritten.length + withWww.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {repeated.length > 0 && (
        <li>
          Pasted more than once, looked up once:{' '}
          {listed(repeated.map(({ value, times }) => `${value} (${times} times)`))}.
        </li>
      )}
      {rewritten.length > 0 && (
        <li>Read as a domain: {listed(rewritten.map(({ from, to }) => `${from} as ${to}`))}.</li>
      )}
      {withWww.length > 0 && (
        <li>
          The record stores domains without a leading “www.”. A look-up uses domains as written.{' '}
          <Button size="small" onClick={() => onText(values.map((value) => value.replace(/^www\./, '')).join('\n'))}>
            Remove “www.”
          </Button>
        </li>
      )}
    </ul>
  );
}

function listed(names: readonly string[]): string {
  const more = names.length - LISTED;
  return more > 0 ? `${names.slice(0, LISTED).join(', ')} and ${more} more` : names.join(', ');
}
