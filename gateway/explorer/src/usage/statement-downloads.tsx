import type { UsageStatement } from '@ces/client';
import { useMutation } from '@tanstack/react-query';
import { ErrorCallout } from '../errors/error-callout.tsx';
import { download } from '../export/download.ts';
import { Button } from '../ui/button.tsx';
import styles from './usage.module.css';

export function StatementDownloads({ statement }: { readonly statement: UsageStatement }) {
  const name = `statement-${statement.since.slice(0, 10)}-to-${statement.until.slice(0, 10)}`;
  const saving = useMutation({
    mutationFn: async () => {
      // Loads the CSV library only on demand.
      const { statementCsv } = await import('./statement-csv.ts');
      download(`${name}.csv`, 'text/csv', statementCsv(statement.entries));
    },
  });
  const saveJson = () => download(`${name}.json`, 'application/json', `${JSON.stringify(statement, undefined, 2)}\n`);
  return (
    <div className={styles.downloads}>
      <Button size="small" onClick={() => saving.mutate()}>
        Save as CSV
      </Button>
      <Button size="small" onClick={saveJson}>
        Save as JSON
      </Button>
      {saving.error && <ErrorCallout error={saving.error} />}
    </div>
  );
}
