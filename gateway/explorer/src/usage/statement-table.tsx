import type { StatementEntry } from '@ces/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { actionName } from '../operations/action-names.ts';
import { RequestKey } from '../operations/request-key.tsx';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { Table } from '../ui/table.tsx';
import styles from './usage.module.css';

const SHOWN_AT_FIRST = 50;

export function StatementTable({ entries }: { readonly entries: readonly StatementEntry[] }) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  if (entries.length === 0) return <p>No entries in this interval.</p>;
  const newest = entries.toReversed();
  return (
    <>
      <Table
        caption={`${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}, newest first`}
        rows={newest.slice(0, shown)}
        rowKey={({ usage_id: id, kind }) => `${id} ${kind}`}
        columns={[
          { name: 'Operation', cell: ({ usage_id: id }) => <Link href={`/operations/${id}`}>{id}</Link> },
          { name: 'What', cell: (entry) => <What entry={entry} /> },
          { name: 'Request', numeric: true, cell: (entry) => entry.request_units },
          { name: 'Delivered', numeric: true, cell: (entry) => entry.delivered_units },
          { name: 'Fresh', numeric: true, cell: (entry) => entry.fresh_evidence_units },
          {
            name: 'Request key',
            cell: ({ request_key: key }) => (key === null ? 'no longer stored' : <RequestKey text={key} />),
          },
        ]}
      />
      {shown < entries.length && (
        <Button onClick={() => setShown(shown + SHOWN_AT_FIRST)}>
          Show {Math.min(SHOWN_AT_FIRST, entries.length - shown)} more of {entries.length}
        </Button>
      )}
    </>
  );
}

function What({ entry: { action, kind, reason, settled_at: at } }: { readonly entry: StatementEntry }) {
  return (
    <div className={styles.what}>
      <span>
        {actionName(action ?? 'unknown')} <Instant at={at} />
      </span>
      {kind === 'reversal' && <span>Reversed: {reason}</span>}
    </div>
  );
}
