import { useState } from 'react';
import { reasonsOf } from '../match/conditions.ts';
import { readQuery } from '../match/read-query.ts';
import type { CompanyResult } from '../session/client.ts';
import {
  type Arrangement,
  AS_DELIVERED,
  arrange,
  type Delivered,
  isNarrowed,
  type ResultRow as Row,
} from './arrange.ts';
import { ArrangeControls } from './arrange-controls.tsx';
import styles from './result-list.module.css';
import { ResultRow } from './result-row.tsx';

interface ResultListProps {
  readonly results: readonly CompanyResult[];
  readonly filters?: readonly string[];
  readonly arrangement: Arrangement;
  readonly onArrange: (arrangement: Arrangement) => void;
}

interface Source {
  readonly usageId: number;
  readonly said: readonly string[];
}

export function useArrangement() {
  return useState<Arrangement>(AS_DELIVERED);
}

export function ResultList({ results, filters = [], arrangement, onArrange }: ResultListProps) {
  const delivered = deliveredBy(results);
  const rows = arrange(delivered, arrangement);
  return (
    <div className={styles.results}>
      <ArrangeControls delivered={delivered} shown={rows.length} arrangement={arrangement} onArrange={onArrange} />
      {rows.length > 0 && <Rows rows={rows} filters={filters} sources={sourcesOf(results)} />}
    </div>
  );
}

/** Leaves out of the pages what the arrangement does not show, in the order of delivery. */
export function shownOf(results: readonly CompanyResult[], arrangement: Arrangement): readonly CompanyResult[] {
  if (!isNarrowed(arrangement)) return results;
  const shown = new Set(arrange(deliveredBy(results), arrangement).map(({ company }) => company.id));
  return results.map((result) => ({ ...result, companies: result.companies.filter(({ id }) => shown.has(id)) }));
}

interface RowsProps {
  readonly rows: readonly Row[];
  readonly filters: readonly string[];
  readonly sources: ReadonlyMap<number, Source>;
}

function Rows({ rows, filters, sources }: RowsProps) {
  const [first] = rows;
  const reading = readQuery(first?.company.match.query ?? '', new Date(first?.asOf ?? 0));
  return (
    <ol className={styles.rows} aria-label="Companies">
      {rows.map((row) => {
        const source = sources.get(row.company.id);
        return (
          source && (
            <li key={row.company.id}>
              <ResultRow row={row} reasons={reasonsOf(row.company, reading)} filters={filters} {...source} />
            </li>
          )
        );
      })}
    </ol>
  );
}

function deliveredBy(results: readonly CompanyResult[]): readonly Delivered[] {
  const all = results.flatMap(({ companies, as_of: asOf }) => companies.map((company) => ({ company, asOf })));
  return all.map((one, at) => ({ ...one, rank: at + 1 }));
}

function sourcesOf(results: readonly CompanyResult[]): ReadonlyMap<number, Source> {
  return new Map(
    results.flatMap(({ companies, usage, coverage }) =>
      companies.map(({ id }) => [id, { usageId: usage.id, said: coverage.limitations }]),
    ),
  );
}
