import { CallsPanel } from '../calls/calls-panel.tsx';
import { ExportButtons } from '../export/export-buttons.tsx';
import { KindsByWeek } from '../plots/kinds-by-week.tsx';
import { count } from '../words/units.ts';
import styles from './answer.module.css';
import type { PageAnswer } from './ask-page.ts';
import { EmptyAnswer } from './empty-answer.tsx';
import { NextPage } from './next-page.tsx';
import { PartialNotes } from './partial-notes.tsx';
import type { Run } from './run.ts';
import { RunPageSection } from './run-page-section.tsx';
import { usePages } from './use-pages.ts';

interface AnswerProps {
  readonly run: Run;
  readonly searchAnew: () => void;
}

export function Answer({ run, searchAnew }: AnswerProps) {
  const states = usePages(run);
  const pages = states.flatMap(({ data }) => (data ? [data] : []));
  const companies = pages.flatMap(({ result }) => result.companies);
  const last = states.at(-1)?.data;
  return (
    <section className={styles.answer} aria-labelledby="answer">
      <h2 id="answer" className={styles.heading} aria-live="polite">
        {headingOf(run, pages)} <q>{run.input.query}</q>
      </h2>
      {run.pages.map((page, index) => (
        <RunPageSection
          key={page.requestKey}
          run={run}
          page={page}
          number={index + 1}
          state={states[index]}
          firstRank={1 + companiesBefore(states, index)}
          searchAnew={searchAnew}
        >
          {index === 0 &&
            (companies.length > 0 ? <Overview pages={pages} /> : <EmptyAnswer input={run.input} answer={pages[0]} />)}
        </RunPageSection>
      ))}
      {last && <NextPage run={run} pages={pages} last={last} />}
      {last && <CallsOf run={run} />}
    </section>
  );
}

function headingOf(run: Run, pages: readonly PageAnswer[]): string {
  const companies = pages.reduce((sum, { result }) => sum + result.companies.length, 0);
  if (pages.length > 0) return `${companies === 0 ? 'No companies' : count(companies, 'company', 'companies')} for`;
  return run.pages.some(({ endedBy }) => endedBy !== undefined) ? 'No answer yet for' : 'Searching for';
}

function Overview({ pages }: { pages: readonly PageAnswer[] }) {
  const companies = pages.flatMap(({ result }) => result.companies);
  const exported = pages.map(({ result, usageId }) => ({
    usageId,
    requestKey: result.usage.request_key,
    asOf: result.as_of,
    companies: result.companies,
  }));
  return (
    <div className={styles.overview}>
      <section className={styles.panel} aria-labelledby="partial">
        <h3 id="partial">Limits of this answer</h3>
        <PartialNotes pages={pages} />
      </section>
      <section className={styles.panel} aria-labelledby="by-week">
        <h3 id="by-week">By kind and week</h3>
        <KindsByWeek observations={companies.flatMap(({ observations }) => observations)} />
        <ExportButtons pages={exported} />
      </section>
    </div>
  );
}

function CallsOf({ run }: { run: Run }) {
  const page = run.pages[run.pages.length - 1];
  if (!page) return null;
  const { requestKey, cursor } = page;
  const input = { ...run.input, ...(cursor !== undefined && { cursor }) };
  return <CallsPanel call={{ action: 'search', input, requestKey, background: run.background }} />;
}

function companiesBefore(states: readonly { data: PageAnswer | undefined }[], index: number): number {
  return states.slice(0, index).reduce((sum, { data }) => sum + (data?.result.companies.length ?? 0), 0);
}
