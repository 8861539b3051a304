import { useMemo } from 'react';
import { CesError } from '../session/client.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { minuteOf } from '../words/dates.ts';
import { adviceFor, messageOf, nextStepAfter } from './advice.ts';
import { useSecondsUntil, waitInWords } from './countdown.ts';
import styles from './error-callout.module.css';

interface ErrorCalloutProps {
  readonly error: unknown;
  /** Charged at most once. */
  readonly onSameKey?: () => void;
  readonly onNewKey?: () => void;
  readonly requestKey?: string;
}

export function ErrorCallout({ error, onSameKey, onNewKey, requestKey: knownKey }: ErrorCalloutProps) {
  // Starts from the wait in the answer, since the local clock may be wrong.
  const facts = useMemo(() => factsOf(error, Date.now()), [error]);
  const requestKey = facts.requestKey ?? knownKey;
  const seconds = useSecondsUntil(facts.retryAt);
  const step = nextStepAfter(facts.code);
  const waiting = seconds > 0;
  return (
    <Callout tone={facts.code === 'request_limit_reached' ? 'warn' : 'bad'}>
      <div role="alert" className={styles.words}>
        <p className={styles.message}>{facts.message}</p>
        {facts.advice && <p>{facts.advice}</p>}
      </div>
      {waiting && facts.retryAt && (
        <p>
          You can try again in <strong className={styles.clock}>{waitInWords(seconds)}</strong>, on{' '}
          {minuteOf(facts.retryAt.toISOString())}.
        </p>
      )}
      {step === 'same-key' && onSameKey && (
        <Button onClick={onSameKey} disabled={waiting}>
          {requestKey === undefined ? 'Try again' : 'Continue with the same key'}
        </Button>
      )}
      {step === 'new-key' && onNewKey && <Button onClick={onNewKey}>Start again with a new key</Button>}
      <p className={styles.facts}>
        <code>{facts.code}</code>
        {requestKey !== undefined && (
          <>
            {' '}
            with request key <code>{requestKey}</code>
          </>
        )}
      </p>
    </Callout>
  );
}

interface Facts {
  readonly code: string;
  readonly message: string;
  readonly advice: string | undefined;
  readonly retryAt: Date | undefined;
  readonly requestKey: string | undefined;
}

function factsOf(error: unknown, now: number): Facts {
  if (error instanceof CesError)
    return {
      code: error.code,
      message: messageOf(error.code, error.message),
      advice: adviceFor(error.code),
      retryAt: error.retryAfterMs === undefined ? error.retryAt : new Date(now + error.retryAfterMs),
      requestKey: error.requestKey,
    };
  const message = error instanceof Error ? error.message : 'An error occurred in this page.';
  return { code: 'explorer_fault', message, advice: 'Load the page again.', retryAt: undefined, requestKey: undefined };
}
