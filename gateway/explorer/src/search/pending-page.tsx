import { useEffect, useState } from 'react';
import { waitInWords } from '../errors/countdown.ts';
import type { RunPage } from '../runs/run.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { Spinner } from '../ui/spinner.tsx';
import styles from './pending-page.module.css';

export function PendingPage({ page, background }: { page: RunPage; background: boolean }) {
  const accepted = page.usageId !== undefined;
  return (
    <div className={styles.pending}>
      <p className={styles.state}>
        <Spinner />
        <span role="status">{accepted ? `Operation ${page.usageId} is running.` : 'Searching.'}</span>
        <Elapsed since={page.pressedAt} />
      </p>
      {(accepted || background) && (
        <p className={styles.hint}>
          You may leave or reload this page. The search continues, and its answer appears here at no further charge.
        </p>
      )}
      <Skeleton height="12rem" />
      <Skeleton height="12rem" />
    </div>
  );
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span className={styles.elapsed}>{waitInWords(Math.max(0, Math.round((now - since) / 1_000)))}</span>;
}
