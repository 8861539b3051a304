import { useMutation } from '@tanstack/react-query';
import { useSources } from '../company/sources.ts';
import { ErrorCallout } from '../errors/error-callout.tsx';
import { Button } from '../ui/button.tsx';
import type { CompanyPage } from './company-rows.ts';
import { download } from './download.ts';
import styles from './export-buttons.module.css';

type Format = 'csv' | 'jsonl';

export function ExportButtons({ pages }: { pages: readonly CompanyPage[] }) {
  const sources = useSources();
  const saving = useMutation({
    mutationFn: async (format: Format) => {
      const name = `companies-${pages[0]?.usageId ?? 'none'}.${format}`;
      // Loads the CSV library only on demand.
      const { write } = await import('./write.ts');
      const { type, text } = write(format, pages, sources);
      download(name, type, text);
    },
  });
  return (
    <div className={styles.buttons}>
      <span className={styles.label} aria-hidden="true">
        Save as
      </span>
      <Button size="small" aria-label="Save as CSV" onClick={() => saving.mutate('csv')}>
        CSV
      </Button>
      <Button size="small" aria-label="Save as JSON Lines" onClick={() => saving.mutate('jsonl')}>
        JSON Lines
      </Button>
      {saving.error && <ErrorCallout error={saving.error} />}
    </div>
  );
}
