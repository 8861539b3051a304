/** Streams that wake services up; publisher and consumer need the same names. */
export interface WorkQueueNames {
  readonly stream: string;
  readonly subject: string;
  readonly consumer: string;
  readonly ackWaitMs: number;
}

/** Published to by operations when an operation waits for a worker; carries OperationReady. */
export function operationsQueue(prefix: string): WorkQueueNames {
  return { ...named(prefix, 'OPERATIONS', 'ops.ready'), consumer: 'workers', ackWaitMs: 30_000 };
}

/** Published to by lookup when the change list has grown; carries EvidenceChanged. */
export function evidenceQueue(prefix: string): WorkQueueNames {
  return { ...named(prefix, 'EVIDENCE', 'evidence.changed'), consumer: 'projector', ackWaitMs: 30_000 };
}

/** Subject of the plain notification, kept nowhere, that an operation has ended. */
export function operationDoneSubject(prefix: string, operationId: bigint | '*'): string {
  return `${prefix ? `${prefix}.` : ''}op.done.${operationId}`;
}

function named(prefix: string, stream: string, subject: string): { stream: string; subject: string } {
  return prefix ? { stream: `${prefix}_${stream}`, subject: `${prefix}.${subject}` } : { stream, subject };
}
