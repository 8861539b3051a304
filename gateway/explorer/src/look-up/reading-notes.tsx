import { Button } from '../ui/button.tsx';
import { count } from '../words/units.ts';
import styles from './look-up.module.css';
import { type ReadInputs, type Skipped, withoutWww } from './read-inputs.ts';

interface ReadingNotesProps {
  readonly read: Extract<ReadInputs, { state: 'ready' }>;
  readonly text: string;
  readonly onText: (text: string) => void;
}

const LISTED = 5;

export function ReadingNotes({ read, text, onText }: ReadingNotesProps) {
  const { values, repeated, rewritten, skipped, column } = read;
  const withWww = values.filter((value) => value.startsWith('www.'));
  if (repeated.length + rewritten.length + withWww.length + skipped.length === 0 && !column) return null;
  return (
    <ul className={styles.notes}>
      {column && <li>A table was pasted. Read: {column}.</li>}
      {skipped.length > 0 && (
        <li>
          <SkippedValues skipped={skipped} />
        </li>
      )}
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
        <li className={styles.offer}>
          <span>
            {listed(withWww)}: the record stores domains without a leading “www.”, and a look-up uses them as written.
          </span>
          <Button size="small" onClick={() => onText(withoutWww(text))}>
            Remove “www.”
          </Button>
        </li>
      )}
    </ul>
  );
}

function SkippedValues({ skipped }: { readonly skipped: readonly Skipped[] }) {
  return (
    <details className={styles.skipped}>
      <summary>Skipped: {count(skipped.length, 'value')} that cannot be looked up</summary>
      <ul className={styles.values}>
        {skipped.map(({ text, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one value may be pasted several times
          <li key={index}>
            <code>{text}</code> is {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

function listed(names: readonly string[]): string {
  const more = names.length - LISTED;
  return more > 0 ? `${names.slice(0, LISTED).join(', ')} and ${more} more` : names.join(', ');
}
