import { LIMITATIONS, sentenceOf } from '../coverage/sentences.ts';
import { Timeline } from '../plots/timeline.tsx';
import type { Company, CompanyMatch } from '../session/client.ts';
import styles from './company-card.module.css';
import { ObservationItem } from './observation-item.tsx';

interface CompanyDetailsProps {
  readonly company: Company | CompanyMatch;
  readonly query?: string;
  readonly asOf: string;
  readonly said?: readonly string[];
}

/** Plot, observations, quotes and limits below a card's heading. */
export function CompanyDetails({ company, query = '', asOf, said = [] }: CompanyDetailsProps) {
  return (
    <>
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
    </>
  );
}
