import type { CompanyLookupResult } from '@ces/client';
import { CompanyCard } from '../cards/company-card.tsx';
import styles from './look-up.module.css';
import { OutcomeCounts } from './outcome-counts.tsx';
import { OutcomeTable } from './outcome-table.tsx';

/** Outcomes of one or more look-ups and the companies found, each once. */
export function LookUpResults({ results }: { readonly results: readonly CompanyLookupResult[] }) {
  const lookups = results.flatMap((result) => result.lookups);
  const companies = [...new Map(results.flatMap((result) => result.companies).map((one) => [one.id, one])).values()];
  const names = new Map(companies.map(({ id, name }) => [id, name]));
  return (
    <>
      <OutcomeCounts lookups={lookups} />
      <OutcomeTable lookups={lookups} companyHref={(id) => `#company-${id}`} nameOf={(id) => names.get(id)} />
      {companies.length > 0 && (
        <section className={styles.companies} aria-label="Companies found">
          <h2>Companies found</h2>
          {companies.map((company) => (
            <div key={company.id} id={`company-${company.id}`}>
              <CompanyCard company={company} />
            </div>
          ))}
        </section>
      )}
    </>
  );
}
