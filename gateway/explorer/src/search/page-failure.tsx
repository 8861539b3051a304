import { adviceFor, nextStepAfter } from '../errors/advice.ts';
import { ErrorCallout } from '../errors/error-callout.tsx';
import type { RunPage } from '../runs/run.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { useContinuePage } from './use-pages.ts';

interface PageFailureProps {
  readonly page: RunPage;
  readonly code: string;
  readonly error: Error | undefined;
  readonly searchWithNewKey: () => void;
}

export function PageFailure({ page, code, error, searchWithNewKey }: PageFailureProps) {
  const continuePage = useContinuePage();
  const goOn = () => continuePage(page);
  if (error)
    return <ErrorCallout error={error} onSameKey={goOn} onNewKey={searchWithNewKey} requestKey={page.requestKey} />;
  const step = nextStepAfter(code);
  return (
    <Callout
      tone="warn"
      title={step === 'new-key' ? 'This search failed. Nothing was charged.' : 'This search ended without an answer.'}
    >
      <p>
        It ended with <code>{code}</code>. {adviceFor(code)}
      </p>
      {step === 'same-key' && <Button onClick={goOn}>Continue with the same key</Button>}
      {step === 'new-key' && <Button onClick={searchWithNewKey}>Start again with a new key</Button>}
    </Callout>
  );
}
