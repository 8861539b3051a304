import { LIMITATIONS, sentenceOf } from '../coverage/sentences.ts';
import { Timeline } from '../plots/timeline.tsx';
import type { Company, CompanyMatch } from '../session/client.ts';
import styles from './company-card.module.css';
import { DemandClassBadge } from './demand-class-badge.tsx';
import { Domains } from './domains.tsx';
import { ObservationItem } from './observation-item.tsx';

interface CompanyCardProps {
  readonly company: Company | CompanyMatch;
  readonly query?: string;
  readonly rank?: number;
  readonly asOf: string;
  /** Limitations that the whole answer already shows; the card omits them. */
  readonly said?: readonly string[];
}

export function CompanyCard({ company, query = '', rank, asOf, said = [] }: CompanyCardProps) {
  const heading = `company-${company.id}`;
  return (
    <article className={styles.card} aria-labelledby={heading}>
      <header className={styles.head}>
        {rank !== undefined && (
          <span className={styles.rank} aria-hidden="true">
            {rank}
          </span>
        )}
        <div className={styles.title}>
          <h3 id={heading}>{company.name}</h3>
          <Domains domains={company.domains} />
        </div>
        {'demand_class' in company && <DemandClassBadge demandClass={company.demand_class} explained />}
      </header>
      {'why_it_may_matter' in company && <p className={styles.why}>{company.why_it_may_matter}</p>}
      <Timeline name={company.name} observations={company.observations} asOf={asOf} />
      <ol className={styles.observations} aria-label={`Observations of ${company.name}`}>
        {company.observations.map((observation) => (
          <li key={observation.id}>
            <ObservationItem observation={observation} query={query} />
          </li>
        ))}
      </ol>
      <footer className={styles.foot}>
        <span>Company {company.id}</span>
        {company.limitations
          .filter((code) => !said.includes(code))
          .map((code) => (
            <span key={code}>{sentenceOf(LIMITATIONS, code)}</span>
          ))}
      </footer>
    </article>
  );
}
