import { OUTCOMES, type Outcome } from '../look-up/outcomes.ts';
import { Callout } from '../ui/callout.tsx';

export function OutcomeNote({ outcome }: { readonly outcome: Outcome }) {
  return (
    <Callout tone="warn" title={`The outcome of the look-up: ${OUTCOMES[outcome].title.toLowerCase()}.`}>
      <p>{OUTCOMES[outcome].sentence}</p>
    </Callout>
  );
}
