/** Publisher and consumer of a wake-up stream need the same names. */
export interface WorkQueueNames {
  readonly stream: string;
  readonly subject: string;
  readonly subjects: readonly string[];
  readonly consumer: string;
  readonly ackWaitMs: number;
}

/**
 * Operations publishes OperationReady here when an operation waits for a worker, on one subject per
 * account.
 */
export function operationsQueue(prefix: string): WorkQueueNames {
  const { stream, subject } = named(prefix, 'OPERATIONS', 'ops.ready');
  return { stream, subject, subjects: [`${subject}.*`], consumer: 'workers', ackWaitMs: 30_000 };
}

export function operationReadySubject({ subject }: WorkQueueNames, accountId: bigint): string {
  return `${subject}.${accountId}`;
}

/** A core NATS notification (not stored): operations wait for a worker. */
export function operationsWaitingSubject(prefix: string): string {
  return `${prefix ? `${prefix}.` : ''}op.waiting`;
}

/** Lookup publishes EvidenceChanged here when the change list grows. */
export function evidenceQueue(prefix: string): WorkQueueNames {
  const { stream, subject } = named(prefix, 'EVIDENCE', 'evidence.changed');
  return { stream, subject, subjects: [subject], consumer: 'projector', ackWaitMs: 30_000 };
}

/** A core NATS notification (not stored): an operation has ended. */
export function operationDoneSubject(prefix: string, operationId: bigint | '*'): string {
  return `${prefix ? `${prefix}.` : ''}op.done.${operationId}`;
}

function named(prefix: string, stream: string, subject: string): { stream: string; subject: string } {
  return prefix ? { stream: `${prefix}_${stream}`, subject: `${prefix}.${subject}` } : { stream, subject };
}
