import { useQueryClient } from '@tanstack/react-query';
import type { Run } from '../runs/run.ts';
import { addPage } from '../runs/runs.ts';
import { createRequestKey, priceOf } from '../session/client.ts';
import { Button } from '../ui/button.tsx';
import { count, unitsInWords } from '../words/units.ts';
import type { PageAnswer } from './ask-page.ts';
import styles from './next-page.module.css';

interface NextPageProps {
  readonly run: Run;
  readonly pages: readonly PageAnswer[];
  readonly last: PageAnswer;
}

export function NextPage({ run, pages, last }: NextPageProps) {
  const queryClient = useQueryClient();
  const { next_cursor: cursor, coverage } = last.result;
  if (cursor === null) return <p className={styles.end}>This is the end of the shortlist.</p>;
  const returned = pages.reduce((sum, { result }) => sum + result.companies.length, 0);
  const { limit, target } = run.input;
  const price = priceOf.search({ limit, target, available: coverage.available_companies, returned });
  return (
    <div className={styles.next}>
      <Button
        aria-describedby="next-price"
        onClick={() => addPage(queryClient, run.id, { requestKey: createRequestKey(), cursor, pressedAt: Date.now() })}
      >
        Next page
      </Button>
      <p id="next-price">
        <strong>At most {unitsInWords({ request: price.requestUnits, delivered: price.deliveredUnits })}.</strong>{' '}
        {coverage.available_companies !== undefined &&
          `${count(returned, 'company', 'companies')} of ${coverage.available_companies} shown.`}
      </p>
    </div>
  );
}
