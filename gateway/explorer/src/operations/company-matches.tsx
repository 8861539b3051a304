import type { CompanyResult } from '@ces/client';
import { LIMITATIONS, STOP_REASONS, sentenceOf } from '../coverage/sentences.ts';
import { ExportButtons } from '../export/export-buttons.tsx';
import { ResultList, shownOf, useArrangement } from '../results/result-list.tsx';
import { Instant } from '../ui/instant.tsx';
import { count } from '../words/units.ts';
import styles from './operations.module.css';

export function CompanyMatches({ result }: { readonly result: CompanyResult }) {
  const { companies, coverage, usage, as_of: asOf } = result;
  const [arrangement, setArrangement] = useArrangement();
  const pages = shownOf([result], arrangement).map((page) => ({
    usageId: usage.id,
    requestKey: usage.request_key,
    asOf,
    companies: page.companies,
  }));
  return (
    <div className={styles.list}>
      <div className={styles.head}>
        <h2>
          {count(companies.length, 'company', 'companies')}, as of <Instant at={asOf} />
        </h2>
        {companies.length > 0 && <ExportButtons pages={pages} />}
      </div>
      <details className={styles.limits}>
        <summary>Partial: {count(coverage.limitations.length + 1, 'limit')} of this answer</summary>
        <ul className={styles.limitations}>
          <li>{sentenceOf(STOP_REASONS, coverage.stop_reason)}</li>
          {coverage.limitations.map((code) => (
            <li key={code}>{sentenceOf(LIMITATIONS, code)}</li>
          ))}
        </ul>
      </details>
      {companies.length > 0 && <ResultList results={[result]} arrangement={arrangement} onArrange={setArrangement} />}
    </div>
  );
}
