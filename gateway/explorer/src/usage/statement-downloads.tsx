import type { UsageStatement } from '@ces/client';
import { download } from '../export/download.ts';
import { Button } from '../ui/button.tsx';
import { statementCsv } from './statement-csv.ts';
import styles from './usage.module.css';

/** The statement to take away: rows for a spreadsheet, or all of it for a program. */
export function StatementDownloads({ statement }: { readonly statement: UsageStatement }) {
  const name = `statement-${statement.since.slice(0, 10)}-to-${statement.until.slice(0, 10)}`;
  return (
    <div className={styles.downloads}>
      <Button onClick={() => download(`${name}.csv`, 'text/csv', statementCsv(statement.entries))}>Download CSV</Button>
      <Button
        onClick={() => download(`${name}.json`, 'application/json', `${JSON.stringify(statement, undefined, 2)}\n`)}
      >
        Download JSON
      </Button>
    </div>
  );
}
