import type { CompanyLookupResult } from '@ces/client';
import { CompanyCard } from '../company/company-card.tsx';
import { ExportButtons } from '../export/export-buttons.tsx';
import styles from './look-up.module.css';
import { OutcomeTable } from './outcome-table.tsx';
import { countOutcomes, OUTCOMES, type Outcome } from './outcomes.ts';

export function LookUpResults({ results }: { readonly results: readonly CompanyLookupResult[] }) {
  const lookups = results.flatMap((result) => result.lookups);
  const found = new Map(
    results.flatMap(({ companies, as_of: asOf, usage }) =>
      companies.map((company) => [company.id, { company, asOf, usageId: usage.id }]),
    ),
  );
  const linkOf = (id: number) => {
    const known = found.get(id);
    return known ? { name: known.company.name, usageId: known.usageId } : { name: String(id) };
  };
  return (
    <>
      <OutcomeCounts lookups={lookups} />
      <OutcomeTable lookups={lookups} linkOf={linkOf} />
      {found.size > 0 && (
        <section className={styles.companies} aria-labelledby="companies-found">
          <div className={styles.head}>
            <h2 id="companies-found">{found.size === 1 ? '1 company found' : `${found.size} companies found`}</h2>
            <ExportButtons pages={results.map(pageOf)} />
          </div>
          {[...found.values()].map(({ company, asOf, usageId }) => (
            <CompanyCard key={company.id} company={company} asOf={asOf} usageId={usageId} />
          ))}
        </section>
      )}
    </>
  );
}

function pageOf({ usage, as_of: asOf, companies }: CompanyLookupResult) {
  return { usageId: usage.id, requestKey: usage.request_key, asOf, companies };
}

function OutcomeCounts({ lookups }: { readonly lookups: readonly { readonly status: Outcome }[] }) {
  return (
    <dl className={styles.outcomes}>
      {countOutcomes(lookups).map(([outcome, count]) => (
        <div key={outcome}>
          <dt>
            {OUTCOMES[outcome].title}: {count}
          </dt>
          <dd>{OUTCOMES[outcome].sentence}</dd>
        </div>
      ))}
    </dl>
  );
}
