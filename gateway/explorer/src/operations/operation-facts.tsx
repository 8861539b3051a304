import type { Usage } from '@ces/client';
import styles from './operations.module.css';
import { StatusBadge } from './status-badge.tsx';

export function OperationFacts({ usage }: { readonly usage: Usage }) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt>State</dt>
        <dd>
          <StatusBadge status={usage.status} />
        </dd>
      </div>
      <div>
        <dt>Request units</dt>
        <dd>{usage.request_units}</dd>
      </div>
      <div>
        <dt>Delivered units</dt>
        <dd>{usage.delivered_units}</dd>
      </div>
      <div>
        <dt>Fresh-evidence units</dt>
        <dd>{usage.fresh_evidence_units}</dd>
      </div>
      <div>
        <dt>Request key</dt>
        <dd>
          <code>{usage.request_key}</code>
        </dd>
      </div>
    </dl>
  );
}
