import type { DiagnosticResult } from '@ces/client';
import { Callout } from '../ui/callout.tsx';

export function DiagnosticFacts({ result: { status, subscription } }: { readonly result: DiagnosticResult }) {
  return (
    <Callout tone="good" title={`API key, subscription and service work: ${status}.`}>
      <p>
        Plan {subscription.plan}, {subscription.status}, at present. A diagnostic is free.
      </p>
    </Callout>
  );
}
