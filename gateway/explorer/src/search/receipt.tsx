import { Link } from 'wouter';
import { ErrorCallout } from '../errors/error-callout.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { count, unitsInWords } from '../words/units.ts';
import type { PageAnswer } from './ask-page.ts';
import styles from './receipt.module.css';
import type { Run, RunPage } from './run.ts';
import { useReplay } from './use-pages.ts';

interface ReceiptProps {
  readonly run: Run;
  readonly page: RunPage;
  readonly number: number;
  readonly answer: PageAnswer;
}

export function Receipt({ run, page, number, answer }: ReceiptProps) {
  const replay = useReplay(run, page);
  const { units, usageId, replayed, tookMs } = answer;
  return (
    <div className={styles.receipt}>
      <p className={styles.cost} role="status">
        <strong>Page {number}</strong>
        {replayed ? (
          <>
            <Badge tone="good">Free: replayed</Badge> <span>The first run cost {unitsInWords(units)}.</span>
          </>
        ) : (
          <span>Cost {unitsInWords(units)}.</span>
        )}
        {units.fresh > 0 && <span>{count(units.fresh, 'observation')} fetched for this page.</span>}
        <span className={styles.muted}>{Math.round(tookMs)} ms</span>
      </p>
      <p className={styles.key}>
        <Link href={`/operations/${usageId}`}>Operation {usageId}</Link>
        <span>
          request key <code>{page.requestKey}</code>
        </span>
        <Button kind="quiet" size="small" busy={replay.isPending} onClick={() => replay.mutate()}>
          Replay for free
        </Button>
      </p>
      {replay.error && <ErrorCallout error={replay.error} onSameKey={() => replay.mutate()} />}
    </div>
  );
}
