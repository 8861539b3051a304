import type { SearchForm } from '../form/form.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextArea } from '../ui/text-area.tsx';
import type { PressState } from './press-state.ts';
import { PriceLine } from './price-line.tsx';
import styles from './query-bar.module.css';

interface QueryBarProps {
  readonly form: SearchForm;
  readonly change: (part: Partial<SearchForm>) => void;
  readonly problem: string | undefined;
  readonly invalid: boolean;
  readonly pressState: PressState;
  /** Whether to explain the syntax below the field. */
  readonly hinted: boolean;
}

export function QueryBar({ form, change, problem, invalid, pressState, hinted }: QueryBarProps) {
  return (
    <div className={styles.bar}>
      <Field
        label="What are the companies doing?"
        hint={
          hinted && (
            <>
              <code>"quoted words"</code> must occur, <code>-word</code> must not. Places, dates and amounts are
              conditions too. All other words affect the ranking.
            </>
          )
        }
        problem={problem}
      >
        <TextArea
          className={styles.query}
          value={form.query}
          rows={1}
          maxLength={4_000}
          onChange={(event) => change({ query: event.target.value })}
          onKeyDown={(event) => {
            // Enter submits, because most queries have one line; Shift+Enter inserts a line break.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      </Field>
      <div className={styles.press}>
        <Button kind="primary" type="submit" busy={pressState === 'on-its-way'} aria-describedby="search-price">
          Search
        </Button>
        <PriceLine
          id="search-price"
          limit={form.limit}
          target={form.target}
          invalid={invalid}
          answered={pressState === 'answered'}
        />
        <label className={styles.switch}>
          <input
            type="checkbox"
            role="switch"
            aria-checked={form.background}
            checked={form.background}
            onChange={(event) => change({ background: event.target.checked })}
          />
          <span title="It continues if you leave or reload this page.">Search in the background</span>
        </label>
      </div>
    </div>
  );
}
