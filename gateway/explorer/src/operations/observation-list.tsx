import type { Observation, ObservationLookupResult } from '@ces/client';
import { CompanyLink } from '../company/company-link.tsx';
import { ObservationItem } from '../company/observation-item.tsx';
import { Badge } from '../ui/badge.tsx';
import { count } from '../words/units.ts';
import styles from './operations.module.css';

interface ObservationListProps {
  readonly observations: readonly Observation[];
  readonly domains?: ObservationLookupResult['domains'];
}

export function ObservationList({ observations, domains = [] }: ObservationListProps) {
  return (
    <div className={styles.list}>
      {domains.length > 0 && <CoveredDomains domains={domains} />}
      <h2>{count(observations.length, 'observation')}</h2>
      {observations.map((observation) => (
        <article key={observation.id} className={styles.observation} aria-labelledby={`observation-${observation.id}`}>
          <h3 id={`observation-${observation.id}`}>
            <CompanyLink id={observation.company.id} name={observation.company.name} />
          </h3>
          <ObservationItem observation={observation} />
        </article>
      ))}
    </div>
  );
}

function CoveredDomains({ domains }: { readonly domains: ObservationLookupResult['domains'] }) {
  return (
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
  );
}
