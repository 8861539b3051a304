import type { UseQueryResult } from '@tanstack/react-query';
import type { Run, RunPage } from '../runs/run.ts';
import type { PageAnswer } from './ask-page.ts';
import { PageFailure } from './page-failure.tsx';
import { PendingPage } from './pending-page.tsx';

interface UnansweredPageProps {
  readonly run: Run;
  readonly page: RunPage;
  readonly number: number;
  readonly state: UseQueryResult<PageAnswer> | undefined;
  readonly searchWithNewKey: () => void;
}

export function UnansweredPage({ run, page, number, state, searchWithNewKey }: UnansweredPageProps) {
  if (state?.data) return null;
  return (
    <section aria-label={`Page ${number}`}>
      {page.endedBy === undefined ? (
        <PendingPage page={page} background={run.background} />
      ) : (
        <PageFailure
          page={page}
          code={page.endedBy}
          error={state?.error ?? undefined}
          searchWithNewKey={searchWithNewKey}
        />
      )}
    </section>
  );
}
