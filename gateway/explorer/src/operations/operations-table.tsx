import type { ListedUsage } from '@ces/client';
import { Link } from 'wouter';
import { Instant } from '../ui/instant.tsx';
import { Table } from '../ui/table.tsx';
import { actionName } from './action-names.ts';
import styles from './operations.module.css';
import { StatusBadge } from './status-badge.tsx';

/** One row an operation; its id leads to what it answered. */
export function OperationsTable({ usages }: { readonly usages: readonly ListedUsage[] }) {
  return (
    <Table
      caption="Newest first, with request, delivered and fresh-evidence units as settled"
      rows={usages}
      rowKey={({ usage }) => usage.id}
      columns={[
        { name: 'Id', cell: ({ usage }) => <Link href={`/operations/${usage.id}`}>{usage.id}</Link> },
        { name: 'Accepted', cell: ({ created_at: at }) => <Instant at={at} /> },
        { name: 'What', cell: (one) => <Asked one={one} /> },
        { name: 'State', cell: ({ usage }) => <StatusBadge status={usage.status} /> },
        { name: 'Request', numeric: true, cell: ({ usage }) => usage.request_units },
        { name: 'Delivered', numeric: true, cell: ({ usage }) => usage.delivered_units },
        { name: 'Fresh', numeric: true, cell: ({ usage }) => usage.fresh_evidence_units },
        { name: 'Request key', cell: ({ usage }) => <code className={styles.key}>{usage.request_key}</code> },
      ]}
    />
  );
}

function Asked({ one: { action, query, error } }: { readonly one: ListedUsage }) {
  return (
    <div className={styles.asked}>
      <span>{actionName(action)}</span>
      {query !== null && <q>{query}</q>}
      {error && <span className={styles.failure}>{error.message}</span>}
    </div>
  );
}
