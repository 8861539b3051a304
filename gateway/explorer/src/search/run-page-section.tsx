import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CompanyCard } from '../company/company-card.tsx';
import type { PageAnswer } from './ask-page.ts';
import { PageFailure } from './page-failure.tsx';
import { PendingPage } from './pending-page.tsx';
import { Receipt } from './receipt.tsx';
import type { Run, RunPage } from './run.ts';
import styles from './run-page-section.module.css';

interface RunPageSectionProps {
  readonly run: Run;
  readonly page: RunPage;
  readonly number: number;
  readonly state: UseQueryResult<PageAnswer> | undefined;
  readonly firstRank: number;
  readonly searchAnew: () => void;
  readonly children: ReactNode;
}

export function RunPageSection(props: RunPageSectionProps) {
  const { run, page, number, state, firstRank, searchAnew, children } = props;
  return (
    <section className={styles.page} aria-label={`Page ${number}`}>
      {state?.data && (
        <>
          <Receipt run={run} page={page} number={number} answer={state.data} />
          {children}
          <Companies answer={state.data} firstRank={firstRank} />
        </>
      )}
      {!state?.data && page.endedBy === undefined && <PendingPage page={page} background={run.background} />}
      {!state?.data && page.endedBy !== undefined && (
        <PageFailure page={page} code={page.endedBy} error={state?.error ?? undefined} searchAnew={searchAnew} />
      )}
    </section>
  );
}

function Companies({ answer, firstRank }: { answer: PageAnswer; firstRank: number }) {
  const { companies, as_of, coverage } = answer.result;
  return companies.map((company, index) => (
    <CompanyCard
      key={company.id}
      company={company}
      query={company.match.query}
      rank={firstRank + index}
      asOf={as_of}
      said={coverage.limitations}
    />
  ));
}
