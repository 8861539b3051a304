/** Streams that wake services up; publisher and consumer need the same names. */
export interface WorkQueueNames {
  readonly stream: string;
  /** What messages are published to when nothing else is said. */
  readonly subject: string;
  /** All that the stream takes. */
  readonly subjects: readonly string[];
  readonly consumer: string;
  readonly ackWaitMs: number;
}

/**
 * Published to by operations when an operation waits for a worker, a subject an account; carries OperationReady. `subject`
 * itself is what the release before publishes to.
 */
export function operationsQueue(prefix: string): WorkQueueNames {
  const { stream, subject } = named(prefix, 'OPERATIONS', 'ops.ready');
  return { stream, subject, subjects: [subject, `${subject}.*`], consumer: 'workers', ackWaitMs: 30_000 };
}

/** The subject of an account's operations. */
export function operationReadySubject({ subject }: WorkQueueNames, accountId: bigint): string {
  return `${subject}.${accountId}`;
}

/** Subject of the plain notification, kept nowhere, that operations have come to wait for a worker. */
export function operationsWaitingSubject(prefix: string): string {
  return `${prefix ? `${prefix}.` : ''}op.waiting`;
}

/** Published to by lookup when the change list has grown; carries EvidenceChanged. */
export function evidenceQueue(prefix: string): WorkQueueNames {
  const { stream, subject } = named(prefix, 'EVIDENCE', 'evidence.changed');
  return { stream, subject, subjects: [subject], consumer: 'projector', ackWaitMs: 30_000 };
}

/** Subject of the plain notification, kept nowhere, by which the projector that was told of new evidence wakes those of other parts. */
export function evidencePartsSubject(prefix: string): string {
  return `${prefix ? `${prefix}.` : ''}evidence.parts`;
}

/** Subject of the plain notification, kept nowhere, that an operation has ended. */
export function operationDoneSubject(prefix: string, operationId: bigint | '*'): string {
  return `${prefix ? `${prefix}.` : ''}op.done.${operationId}`;
}

function named(prefix: string, stream: string, subject: string): { stream: string; subject: string } {
  return prefix ? { stream: `${prefix}_${stream}`, subject: `${prefix}.${subject}` } : { stream, subject };
}
