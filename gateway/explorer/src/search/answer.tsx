import { notRecordedSentences } from '@ces/proto/not-recorded';
import { useEffect } from 'react';
import { CallsPanel } from '../calls/calls-panel.tsx';
import { ExportButtons } from '../export/export-buttons.tsx';
import { filterLabels } from '../match/filter-labels.ts';
import { KindsByWeek } from '../plots/kinds-by-week.tsx';
import type { Arrangement } from '../results/arrange.ts';
import { ResultList, shownOf, useArrangement } from '../results/result-list.tsx';
import type { Run } from '../runs/run.ts';
import { SaveSearch } from '../saved/save-search.tsx';
import { noteSavedAnswer } from '../saved/use-saved.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { Explanation } from '../ui/explanation.tsx';
import { Quoted } from '../ui/quoted.tsx';
import styles from './answer.module.css';
import { headingOf } from './answer-heading.ts';
import type { PageAnswer } from './ask-page.ts';
import { EmptyAnswer } from './empty-answer.tsx';
import { NextPage } from './next-page.tsx';
import { PartialNotes } from './partial-notes.tsx';
import { PageReceipts, TotalCost } from './receipt.tsx';
import { UnansweredPage } from './unanswered-page.tsx';
import { usePages } from './use-pages.ts';

interface AnswerProps {
  readonly run: Run;
  readonly searchWithNewKey: () => void;
}

export function Answer({ run, searchWithNewKey }: AnswerProps) {
  const states = usePages(run);
  const pages = states.flatMap(({ data }) => (data ? [data] : []));
  const companies = pages.reduce((sum, { result }) => sum + result.companies.length, 0);
  const last = states.at(-1)?.data;
  useSavedNote(run.search, pages[0]?.result.as_of);
  return (
    <section className={styles.answer} aria-labelledby="answer">
      <header className={styles.head}>
        <h2 id="answer" className={styles.heading} aria-live="polite">
          {headingOf(run, pages)} <Quoted text={run.input.query} />
        </h2>
        {pages[0] && (
          <div className={styles.side}>
            <TotalCost pages={pages} />
            <SaveSearch search={run.search} query={run.input.query} asOf={pages[0].result.as_of} />
          </div>
        )}
      </header>
      {companies > 0 && <Delivered run={run} pages={pages} />}
      {companies === 0 && <EmptyAnswer input={run.input} answer={pages[0]} />}
      {run.pages.map((page, index) => (
        <UnansweredPage
          key={page.requestKey}
          run={run}
          page={page}
          number={index + 1}
          state={states[index]}
          searchWithNewKey={searchWithNewKey}
        />
      ))}
      {last && <NextPage run={run} pages={pages} last={last} />}
      <PageReceipts run={run} answers={states.map(({ data }) => data)} />
      {companies > 0 && <ByWeek pages={pages} />}
      {last && <CallsOf run={run} />}
    </section>
  );
}

function useSavedNote(search: string, asOf: string | undefined): void {
  useEffect(() => {
    if (asOf !== undefined) noteSavedAnswer(search, asOf);
  }, [search, asOf]);
}

function Delivered({ run, pages }: { run: Run; pages: readonly PageAnswer[] }) {
  const [arrangement, setArrangement] = useArrangement();
  const results = pages.map(({ result }) => result);
  return (
    <>
      <NotRecorded pages={pages} />
      <AboutAnswer pages={pages} arrangement={arrangement} />
      <ResultList
        results={results}
        filters={filterLabels(run.input.filters)}
        arrangement={arrangement}
        onArrange={setArrangement}
      />
    </>
  );
}

function AboutAnswer({ pages, arrangement }: { pages: readonly PageAnswer[]; arrangement: Arrangement }) {
  const results = pages.map(({ result }) => result);
  const exported = shownOf(results, arrangement).map(({ usage, as_of: asOf, companies }) => ({
    usageId: usage.id,
    requestKey: usage.request_key,
    asOf,
    companies,
  }));
  const isExact = results.every(({ coverage }) => !coverage.limitations.includes('relevance_not_validated'));
  return (
    <div className={styles.about}>
      <PartialNotes pages={pages} collapsed />
      <Button kind="quiet" size="small" onClick={() => document.getElementById(BY_WEEK)?.focus()}>
        Plot by week
      </Button>
      <span className={styles.relevance}>
        Relevance <RelevanceExplanation isExact={isExact} />
      </span>
      <ExportButtons pages={exported} />
    </div>
  );
}

const BY_WEEK = 'by-week';

function ByWeek({ pages }: { pages: readonly PageAnswer[] }) {
  const companies = pages.flatMap(({ result }) => result.companies);
  return (
    <section className={styles.panel} aria-labelledby={BY_WEEK}>
      <h3 id={BY_WEEK} tabIndex={-1}>
        By kind and week
      </h3>
      <KindsByWeek observations={companies.flatMap(({ observations }) => observations)} />
    </section>
  );
}

function CallsOf({ run }: { run: Run }) {
  const page = run.pages[run.pages.length - 1];
  if (!page) return null;
  const { requestKey, cursor } = page;
  const input = { ...run.input, ...(cursor !== undefined && { cursor }) };
  return <CallsPanel call={{ action: 'search', input, requestKey, background: run.background }} />;
}

/** Explains the estimate that orders an answer, as confidence is explained. */
function RelevanceExplanation({ isExact }: { readonly isExact: boolean }) {
  return (
    <Explanation of="Relevance">
      <p>
        For each company, the service estimates how probable it is that its evidence answers your query: from the words
        found and how rare they are, and from how alike the meanings are.
      </p>
      <p>
        Companies below a low threshold (3 % by default) are left out and not charged. The others are listed best first.
        An answer does not contain the number.
      </p>
      {!isExact && <p>For this query or record the estimate is not exact enough to rely on.</p>}
      <p>It is not the probability that a company buys. Confidence is something else and does not affect it.</p>
    </Explanation>
  );
}

/** Topics of the query that no kind covers: the companies below are no answer to them. */
function NotRecorded({ pages }: { readonly pages: readonly PageAnswer[] }) {
  const sentences = new Set(pages.flatMap(({ result }) => notRecordedSentences(result.coverage.limitations)));
  if (sentences.size === 0) return null;
  return <Callout tone="warn">{[...sentences].join(' ')}</Callout>;
}
