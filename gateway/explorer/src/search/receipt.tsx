import { Link } from 'wouter';
import { ErrorCallout } from '../errors/error-callout.tsx';
import type { Run, RunPage } from '../runs/run.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { count, unitsInWords } from '../words/units.ts';
import type { PageAnswer } from './ask-page.ts';
import styles from './receipt.module.css';
import { sumOfUnits } from './total-units.ts';
import { useReplay } from './use-pages.ts';

export function TotalCost({ pages }: { pages: readonly PageAnswer[] }) {
  const { charged, replayed } = sumOfUnits(pages);
  const fresh = pages.reduce((sum, { units }) => sum + units.fresh, 0);
  const free = pages.filter((page) => page.replayed).length;
  return (
    <p className={styles.cost} role="status">
      {charged ? (
        <span>Cost {unitsInWords(charged)}.</span>
      ) : (
        <>
          <Badge tone="good">Free: replayed</Badge> <span>The first run cost {unitsInWords(replayed)}.</span>
        </>
      )}
      {charged && free > 0 && <span>{count(free, 'page')} replayed for free.</span>}
      {fresh > 0 && <span>{count(fresh, 'observation')} fetched for it.</span>}
    </p>
  );
}

interface PageReceiptsProps {
  readonly run: Run;
  /** In the order of the run's pages; undefined before the answer. */
  readonly answers: readonly (PageAnswer | undefined)[];
}

export function PageReceipts({ run, answers }: PageReceiptsProps) {
  return run.pages.map((page, index) => {
    const answer = answers[index];
    return answer && <Receipt key={page.requestKey} run={run} page={page} number={index + 1} answer={answer} />;
  });
}

interface ReceiptProps {
  readonly run: Run;
  readonly page: RunPage;
  readonly number: number;
  readonly answer: PageAnswer;
}

function Receipt({ run, page, number, answer }: ReceiptProps) {
  const replay = useReplay(run, page);
  const { units, usageId, replayed, tookMs } = answer;
  const path = `/operations/${usageId}`;
  return (
    <section className={styles.receipt} aria-label={`Page ${number}`}>
      <p className={styles.cost}>
        <strong>Page {number}</strong>
        {replayed && <Badge tone="good">Free: replayed</Badge>}
        <span>{unitsInWords(units)}</span>
        <span className={styles.muted}>{Math.round(tookMs)} ms</span>
        <Link href={path}>Operation {usageId}</Link>
      </p>
      <p className={styles.key}>
        <span>
          request key <code>{page.requestKey}</code>
        </span>
        <Button kind="quiet" size="small" busy={replay.isPending} onClick={() => replay.mutate()}>
          Replay for free
        </Button>
        <CopyButton name="Copy link" text={`${location.origin}/explore${path}`} of={`page ${number}`} />
      </p>
      {replay.error && <ErrorCallout error={replay.error} onSameKey={() => replay.mutate()} />}
    </section>
  );
}
