import type { CompanyResult } from '@ces/client';
import { CompanyCard } from '../cards/company-card.tsx';
import styles from './operations.module.css';

export function CompanyMatches({ result }: { readonly result: CompanyResult }) {
  return (
    <div className={styles.list}>
      {result.companies.map((company) => (
        <CompanyCard key={company.id} company={company} />
      ))}
    </div>
  );
}
