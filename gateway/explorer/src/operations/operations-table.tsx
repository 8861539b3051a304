import type { ListedUsage } from '@ces/client';
import { Link } from 'wouter';
import { Instant } from '../ui/instant.tsx';
import { Quoted } from '../ui/quoted.tsx';
import { Table } from '../ui/table.tsx';
import { actionName } from './action-names.ts';
import styles from './operations.module.css';
import { RequestKey } from './request-key.tsx';
import { StatusBadge } from './status-badge.tsx';

export function OperationsTable({ usages }: { readonly usages: readonly ListedUsage[] }) {
  return (
    <Table
      caption="Newest first, with the settled request, delivered and fresh-evidence units"
      rows={usages}
      rowKey={({ usage }) => usage.id}
      columns={[
        { name: 'Id', cell: ({ usage }) => <Link href={`/operations/${usage.id}`}>{usage.id}</Link> },
        { name: 'What', cell: (one) => <Asked one={one} /> },
        { name: 'State', cell: ({ usage }) => <StatusBadge status={usage.status} /> },
        { name: 'Request', numeric: true, cell: ({ usage }) => usage.request_units },
        { name: 'Delivered', numeric: true, cell: ({ usage }) => usage.delivered_units },
        { name: 'Fresh', numeric: true, cell: ({ usage }) => usage.fresh_evidence_units },
        { name: 'Request key', cell: ({ usage }) => <RequestKey text={usage.request_key} /> },
      ]}
    />
  );
}

function Asked({ one: { action, query, created_at: at, error } }: { readonly one: ListedUsage }) {
  return (
    <div className={styles.asked}>
      <span>
        {actionName(action)} <Instant at={at} />
      </span>
      {query !== null && <Quoted text={query} />}
      {error && <span className={styles.failure}>{error.message}</span>}
    </div>
  );
}
