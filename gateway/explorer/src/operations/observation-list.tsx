import type { Observation, ObservationLookupResult } from '@ces/client';
import { ObservationView } from '../observation/observation-view.tsx';
import { Badge } from '../ui/badge.tsx';
import styles from './operations.module.css';

interface ObservationListProps {
  readonly observations: readonly Observation[];
  /** Of a look-up: which hostnames the record covers. */
  readonly domains?: ObservationLookupResult['domains'];
}

export function ObservationList({ observations, domains = [] }: ObservationListProps) {
  return (
    <div className={styles.list}>
      {domains.length > 0 && (
        <ul className={styles.domains} aria-label="Domains asked for">
          {domains.map(({ hostname, status }) => (
            <li key={hostname}>
              {hostname}{' '}
              <Badge tone={status === 'found' ? 'good' : 'neutral'}>
                {status === 'found' ? 'Found' : 'No coverage yet'}
              </Badge>
            </li>
          ))}
        </ul>
      )}
      <p>{observations.length === 1 ? '1 observation' : `${observations.length} observations`}</p>
      {observations.map((observation) => (
        <ObservationView key={observation.id} observation={observation} />
      ))}
    </div>
  );
}
