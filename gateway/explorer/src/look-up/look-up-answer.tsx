import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallsPanel } from '../calls/calls-panel.tsx';
import { ErrorCallout } from '../errors/error-callout.tsx';
import { USAGE_REPORT } from '../session/usage-report.ts';
import { Button } from '../ui/button.tsx';
import styles from './look-up.module.css';
import type { LookUpCall } from './look-up-call.ts';
import { LookUpCost } from './look-up-cost.tsx';
import { LookUpResults } from './look-up-results.tsx';
import { inputsOf, type LookUp } from './use-look-up.ts';

export function LookUpAnswer({ lookUp }: { readonly lookUp: LookUp }) {
  const { calls, isRunning, again, restart } = lookUp;
  const answered = calls.filter(({ state }) => state === 'done').length;
  const failed = calls.find(({ state }) => state === 'failed');
  useRefreshedReport(answered);
  return (
    <section className={styles.answer} aria-label="Answer" aria-busy={isRunning}>
      <p role="status" className={styles.status}>
        {isRunning && calls.length === 1 && 'Looking up …'}
        {isRunning && calls.length > 1 && `Looking up: ${answered} of ${calls.length} calls answered …`}
      </p>
      {failed && (
        <>
          {calls.length > 1 && (
            <p>
              Call {calls.indexOf(failed) + 1} of {calls.length} was not answered. Earlier answers are below.
            </p>
          )}
          <ErrorCallout error={failed.error} onSameKey={again} onNewKey={restart} />
        </>
      )}
      {answered > 0 && <LookUpCost calls={calls} />}
      {answered > 0 && <LookUpResults results={calls.flatMap(({ result }) => (result ? [result] : []))} />}
      {answered > 0 && answered === calls.length && !isRunning && (
        <div className={styles.replay}>
          <Button onClick={again}>Ask again with the same key</Button>
          <span>Free: repeats the same operation with what is deliverable now.</span>
        </div>
      )}
      {answered > 0 && calls.map((call) => <CallsPanel key={call.requestKey} call={sentAs(call)} />)}
    </section>
  );
}

function sentAs({ kind, values, requestKey }: LookUpCall) {
  return { action: 'look-up', input: inputsOf(kind, values), requestKey } as const;
}

function useRefreshedReport(answered: number): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (answered > 0) void queryClient.invalidateQueries({ queryKey: USAGE_REPORT });
  }, [queryClient, answered]);
}
