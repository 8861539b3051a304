import { sourceOf, webAddress } from '../company/source-of.ts';
import { useSources } from '../company/sources.ts';
import type { SupportingObservation } from '../session/client.ts';
import { Table } from '../ui/table.tsx';
import styles from './company-view.module.css';
import { quotesBySite } from './quotes-by-site.ts';

export function CompanySources({ observations }: { readonly observations: readonly SupportingObservation[] }) {
  const sources = useSources();
  const rows = quotesBySite(observations).map((site) => ({ ...site, source: sourceOf(site.uri, sources) }));
  return (
    <section className={styles.section} aria-labelledby="sources">
      <h2 id="sources">{rows.length === 1 ? '1 source' : `${rows.length} sources`}</h2>
      <Table
        caption="Sources of the evidence"
        captionHidden
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          {
            name: 'Site',
            cell: ({ name, uri }) =>
              webAddress(uri) ? (
                <a href={uri} target="_blank" rel="noopener noreferrer">
                  {name}
                </a>
              ) : (
                name
              ),
          },
          { name: 'Quotes', numeric: true, cell: ({ quotes }) => quotes },
          { name: 'Publisher', cell: ({ source }) => source?.publisher ?? 'not listed' },
          { name: 'Licence', cell: ({ source }) => source?.licence ?? <a href="/sources">see all sources</a> },
        ]}
      />
    </section>
  );
}
