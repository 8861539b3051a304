import { Link } from 'wouter';
import type { Observation, SupportingObservation } from '../session/client.ts';
import { classes } from '../ui/classes.ts';
import { COUNTRIES } from '../words/countries.ts';
import { dayOf } from '../words/dates.ts';
import { KINDS } from '../words/kinds.ts';
import { EvidenceQuote } from './evidence-quote.tsx';
import { ObservationFacts } from './observation-facts.tsx';
import styles from './observation-item.module.css';

interface ObservationItemProps {
  readonly observation: SupportingObservation | Observation;
  readonly query?: string;
  /** False on the screen of the observation itself. */
  readonly linked?: boolean;
}

export function ObservationItem({ observation, query = '', linked = true }: ObservationItemProps) {
  const { id, kind, demand_class, country, occurred_at, observed_at, observed_fact, evidence } = observation;
  return (
    <div className={classes(styles.observation, styles[demand_class])}>
      <p className={styles.kicker}>
        <strong>{KINDS[kind]}</strong>
        <span>{occurred_at === null ? 'undated: a profile, not an event' : `happened ${dayOf(occurred_at)}`}</span>
        <span>collected {dayOf(observed_at)}</span>
        <span>{COUNTRIES[country]}</span>
      </p>
      <p className={styles.fact}>
        {linked ? <Link href={`/observations/${id}`}>{observed_fact}</Link> : observed_fact}
      </p>
      {evidence.map((one, index) => (
        // Two rows of evidence may quote the same passage, collected at two times.
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of an answer never move
        <EvidenceQuote key={index} evidence={one} query={query} fact={observed_fact} />
      ))}
      <ObservationFacts observation={observation} />
    </div>
  );
}
