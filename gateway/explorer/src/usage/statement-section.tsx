import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallsPanel } from '../calls/calls-panel.tsx';
import { ErrorCallout } from '../errors/error-callout.tsx';
import { useSession } from '../session/session.tsx';
import { USAGE_REPORT } from '../session/usage-report.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { readStatement } from './read-statement.ts';
import { StatementControls } from './statement-controls.tsx';
import { StatementDownloads } from './statement-downloads.tsx';
import { askedInterval, type ChosenDays, type StatementInterval } from './statement-intervals.ts';
import { StatementProof } from './statement-proof.tsx';
import { StatementTable } from './statement-table.tsx';
import { UnitsOverTime } from './units-over-time.tsx';
import styles from './usage.module.css';

export function Statement() {
  const { ces } = useSession();
  const [interval, setInterval] = useState<StatementInterval>('period');
  const [days, setDays] = useState<ChosenDays>({ from: '', to: '' });
  const [now, setNow] = useState(() => new Date());
  const asked = askedInterval(interval, days, now);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...USAGE_REPORT, 'statement', asked],
    queryFn: () => readStatement(ces, asked ?? {}),
    enabled: asked !== undefined,
    staleTime: 0,
    refetchOnMount: true,
  });
  return (
    <section className={styles.section} aria-labelledby="statement" aria-busy={isFetching}>
      <h2 id="statement">Statement</h2>
      <StatementControls
        interval={interval}
        days={days}
        isFetching={isFetching}
        onInterval={setInterval}
        onDays={setDays}
        onRefresh={() => (interval === 'period' || interval === 'custom' ? void refetch() : setNow(new Date()))}
      />
      {error && <ErrorCallout error={error} onSameKey={() => void refetch()} />}
      {asked === undefined && <p>Choose a first and a last day.</p>}
      {isFetching && !data && <Skeleton height="16rem" />}
      {data && (
        <>
          <UnitsOverTime statement={data.statement} />
          <StatementProof whole={data} />
          <StatementDownloads statement={data.statement} />
          <StatementTable entries={data.statement.entries} />
          <CallsPanel call={{ action: 'statement', interval: asked ?? {} }} />
        </>
      )}
    </section>
  );
}
