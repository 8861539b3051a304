import type { Company } from '../session/client.ts';
import styles from './company-card.module.css';
import { CompanyDetails } from './company-details.tsx';
import { CompanyLink } from './company-link.tsx';
import { Domains } from './domains.tsx';

interface CompanyCardProps {
  readonly company: Company;
  readonly asOf: string;
  readonly usageId: number;
}

export function CompanyCard({ company, asOf, usageId }: CompanyCardProps) {
  const heading = `company-${company.id}`;
  return (
    <article className={styles.card} aria-labelledby={heading}>
      <header className={styles.title}>
        <h3 id={heading}>
          <CompanyLink id={company.id} name={company.name} usageId={usageId} />
        </h3>
        <Domains domains={company.domains} />
      </header>
      <CompanyDetails company={company} asOf={asOf} />
    </article>
  );
}
