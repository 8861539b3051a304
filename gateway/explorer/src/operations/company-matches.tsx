import type { CompanyResult } from '@ces/client';
import { CompanyCard } from '../company/company-card.tsx';
import { LIMITATIONS, STOP_REASONS, sentenceOf } from '../coverage/sentences.ts';
import { ExportButtons } from '../export/export-buttons.tsx';
import { Instant } from '../ui/instant.tsx';
import { count } from '../words/units.ts';
import styles from './operations.module.css';

export function CompanyMatches({ result }: { readonly result: CompanyResult }) {
  const { companies, coverage, usage, as_of: asOf } = result;
  const page = { usageId: usage.id, requestKey: usage.request_key, asOf, companies };
  return (
    <div className={styles.list}>
      <div className={styles.head}>
        <h2>
          {count(companies.length, 'company', 'companies')}, as of <Instant at={asOf} />
        </h2>
        {companies.length > 0 && <ExportButtons pages={[page]} />}
      </div>
      <ul className={styles.limitations}>
        <li>{sentenceOf(STOP_REASONS, coverage.stop_reason)}</li>
        {coverage.limitations.map((code) => (
          <li key={code}>{sentenceOf(LIMITATIONS, code)}</li>
        ))}
      </ul>
      {companies.map((company, at) => (
        <CompanyCard key={company.id} company={company} rank={at + 1} query={company.match.query} asOf={asOf} />
      ))}
    </div>
  );
}
