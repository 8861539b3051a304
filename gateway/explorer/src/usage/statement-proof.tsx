import { Callout } from '../ui/callout.tsx';
import { Instant } from '../ui/instant.tsx';
import { Table } from '../ui/table.tsx';
import type { WholeStatement } from './read-statement.ts';
import { type Comparison, compare } from './statement.ts';

const NAMES: Readonly<Record<Comparison['name'], string>> = {
  request_units: 'Request units',
  delivered_units: 'Delivered units',
  fresh_evidence_units: 'Fresh-evidence units',
};

export function StatementProof({ whole: { statement, report, isCut } }: { readonly whole: WholeStatement }) {
  const { entries, totals, since, until, as_of: asOf } = statement;
  const rows = compare(entries, totals, report?.usage);
  const agrees = rows.every((row) => row.agrees);
  return (
    <>
      <p>
        From <Instant at={since} /> until before <Instant at={until} />, as of <Instant at={asOf} />.
      </p>
      {isCut ? (
        <Callout tone="warn" title="Not all entries are shown.">
          <p>
            The list has the first {entries.length} entries; the totals include all. Choose a shorter interval to see
            every entry.
          </p>
        </Callout>
      ) : (
        <Callout
          tone={agrees ? 'good' : 'bad'}
          title={agrees ? agreement(report !== undefined) : 'The numbers do not agree.'}
        >
          {!agrees && <p>Read again. If they still differ, send this statement to your operator.</p>}
        </Callout>
      )}
      <Table
        caption="Sums of the statement"
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          { name: 'Units', cell: ({ name }) => NAMES[name] },
          { name: `Sum of ${entries.length} entries`, numeric: true, cell: (row) => row.entries },
          { name: 'Totals of the statement', numeric: true, cell: (row) => row.totals },
          ...(report ? [{ name: 'Usage report', numeric: true, cell: (row: Comparison) => row.report }] : []),
        ]}
      />
    </>
  );
}

function agreement(withReport: boolean): string {
  return withReport ? 'Entries, totals and usage report agree exactly.' : 'Entries and totals agree exactly.';
}
