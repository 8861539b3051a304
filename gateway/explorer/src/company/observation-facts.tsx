import type { SupportingObservation } from '../session/client.ts';
import { Explanation } from '../ui/explanation.tsx';
import { wayOf } from '../words/confidence.ts';
import { dayOf } from '../words/dates.ts';
import styles from './observation-facts.module.css';

/** U+2060 keeps the question mark on the line of the last word. */
const WORD_JOINER = '\u2060';

export function ObservationFacts({ observation }: { observation: SupportingObservation }) {
  const { expires_at, confidence, categories = [] } = observation;
  return (
    <dl className={styles.facts}>
      <Fact name={expires_at === null ? 'Expires' : 'Valid until'}>
        {expires_at === null ? 'never' : dayOf(expires_at)}
      </Fact>
      <Fact name="Confidence">
        {confidence}: {wayOf(confidence)}
        {WORD_JOINER}
        <Explanation of="Confidence">
          <p>
            Confidence states how the fact was obtained: 0.9 from a registry or an official structured record, 0.8 from
            a structured feed, 0.7 from a text by rule, 0.5 inferred.
          </p>
          <p>It is not a probability, and it does not affect the order of the answer.</p>
        </Explanation>
      </Fact>
      {categories.length > 0 && <Fact name="NAICS sector">{categories.join(', ')}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt> <dd>{children}</dd>
    </div>
  );
}
