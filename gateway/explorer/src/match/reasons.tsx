import { classes } from '../ui/classes.ts';
import { Explanation } from '../ui/explanation.tsx';
import type { ConditionState, Reasons } from './conditions.ts';
import styles from './reasons.module.css';

const MARKS: Readonly<Record<ConditionState, string>> = { met: '✓', 'not-shown': '✗', unchecked: '?' };
const WORDS: Readonly<Record<ConditionState, string>> = {
  met: 'Shown',
  'not-shown': 'Not shown',
  unchecked: 'Not checked on this page',
};
const STATES: readonly ConditionState[] = ['met', 'not-shown', 'unchecked'];

export function ReasonsLine({ reasons }: { readonly reasons: Reasons }) {
  const parts = STATES.flatMap((state) => {
    const labels = labelsOf(reasons, state);
    return labels.length === 0 ? [] : [{ state, text: labels.join(', ') }];
  });
  if (parts.length === 0) return <p className={styles.line}>Every company of the kind matches.</p>;
  return (
    <p className={styles.line}>
      {parts.map(({ state, text }) => (
        <span key={state} className={classes(styles.part, styles[state])}>
          <span aria-hidden="true">{MARKS[state]} </span>
          <span className={styles.unseen}>{WORDS[state]}: </span>
          {text}
        </span>
      ))}
    </p>
  );
}

export function ReasonsList({ reasons, filters }: { readonly reasons: Reasons; readonly filters: readonly string[] }) {
  return (
    <section className={styles.reasons} aria-label="Why it matched">
      <h4 className={styles.heading}>
        Why it matched
        <Explanation of="Why it matched">
          <p>
            What your query states, compared with the facts, quotes and names that are shown here. Words count in all
            their forms.
          </p>
          <p>
            Filters, quoted words, excluded words, places, times and amounts are strict. Everything else affects the
            order, and the service also compares meanings: a company may answer in other words.
          </p>
        </Explanation>
      </h4>
      <dl className={styles.list}>
        {STATES.map((state) => {
          const labels = labelsOf(reasons, state);
          return (
            labels.length > 0 && (
              <div key={state} className={styles[state]}>
                <dt>
                  <span aria-hidden="true">{MARKS[state]} </span>
                  {WORDS[state]}
                </dt>
                <dd>{labels.join(', ')}</dd>
              </div>
            )
          );
        })}
        {filters.length > 0 && (
          <div className={styles.met}>
            <dt>
              <span aria-hidden="true">{MARKS.met} </span>
              Filters
            </dt>
            <dd>{filters.join(', ')}</dd>
          </div>
        )}
      </dl>
      {reasons.found.length === 0 && reasons.missing.length > 0 && (
        <p>No word of the query is shown here. The service found it by its meaning or by words of like meaning.</p>
      )}
    </section>
  );
}

function labelsOf({ found, missing, conditions }: Reasons, state: ConditionState): readonly string[] {
  const labels = conditions.filter((one) => one.state === state).map(({ label }) => label);
  if (state === 'met') return [...found, ...labels];
  // A condition that is not met says more than a word, so it comes first.
  return state === 'not-shown' ? [...labels, ...missing] : labels;
}
