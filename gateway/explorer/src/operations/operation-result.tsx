import type { AnyResult, DiagnosticResult } from '@ces/client';
import { LookUpResults } from '../look-up/look-up-results.tsx';
import { Callout } from '../ui/callout.tsx';
import { CompanyMatches } from './company-matches.tsx';
import { ObservationList } from './observation-list.tsx';
import styles from './operations.module.css';

export function OperationResult({ result }: { readonly result: AnyResult }) {
  return (
    <section className={styles.result} aria-label="Result">
      {'withheld_units' in result && <Withheld units={result.withheld_units} />}
      <OfKind result={result} />
    </section>
  );
}

function OfKind({ result }: { readonly result: AnyResult }) {
  if ('ranking' in result) return <CompanyMatches result={result} />;
  if ('lookups' in result) return <LookUpResults results={[result]} />;
  if ('domains' in result) return <ObservationList observations={result.observations} domains={result.domains} />;
  if ('observations' in result) return <ObservationList observations={result.observations} />;
  return <DiagnosticFacts result={result} />;
}

function DiagnosticFacts({ result: { status, subscription } }: { readonly result: DiagnosticResult }) {
  return (
    <Callout tone="good" title={`API key, subscription and service work: ${status}.`}>
      <p>
        Plan {subscription.plan}, {subscription.status}, at present. A diagnostic is free.
      </p>
    </Callout>
  );
}

function Withheld({ units }: { readonly units: number }) {
  if (units === 0) return null;
  const some = units === 1 ? '1 company is' : `${units} companies are`;
  return (
    <Callout tone="warn" title={`${some} withheld from this result.`}>
      <p>
        The evidence for {units === 1 ? 'it' : 'them'} was withdrawn since. Settled units stay settled, and restored
        evidence appears again.
      </p>
    </Callout>
  );
}
