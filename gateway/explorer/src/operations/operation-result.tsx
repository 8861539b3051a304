import type { AnyResult } from '@ces/client';
import { LookUpResults } from '../look-up/look-up-results.tsx';
import { CompanyMatches } from './company-matches.tsx';
import { DiagnosticFacts } from './diagnostic-facts.tsx';
import { ObservationList } from './observation-list.tsx';
import styles from './operations.module.css';
import { Withheld } from './withheld.tsx';

export function OperationResult({ result }: { readonly result: AnyResult }) {
  return (
    <section className={styles.result} aria-label="Result">
      {'withheld_units' in result && <Withheld units={result.withheld_units} />}
      <OfKind result={result} />
    </section>
  );
}

/** A poll does not name the action, so fields that only one kind has identify it. */
function OfKind({ result }: { readonly result: AnyResult }) {
  if ('ranking' in result) return <CompanyMatches result={result} />;
  if ('lookups' in result) return <LookUpResults results={[result]} />;
  if ('domains' in result) return <ObservationList observations={result.observations} domains={result.domains} />;
  if ('observations' in result) return <ObservationList observations={result.observations} />;
  return <DiagnosticFacts result={result} />;
}
