/** Streams that ring services awake; who rings and who answers need the same names (architecture, doorbells). */
export interface Bells {
  readonly stream: string;
  readonly subject: string;
  readonly consumer: string;
  readonly ackWaitMs: number;
}

/** Rung by operations when an operation waits for a worker; carries OperationReady. */
export function operationBells(prefix: string): Bells {
  return { ...named(prefix, 'OPERATIONS', 'ops.ready'), consumer: 'workers', ackWaitMs: 30_000 };
}

/** Rung by lookup when the change list has grown; carries EvidenceChanged. */
export function evidenceBells(prefix: string): Bells {
  return { ...named(prefix, 'EVIDENCE', 'evidence.changed'), consumer: 'projector', ackWaitMs: 30_000 };
}

/** Told, not rung, when an operation has ended, to whoever waits for it. */
export function operationDoneSubject(prefix: string, operationId: bigint | '*'): string {
  return `${prefix ? `${prefix}.` : ''}op.done.${operationId}`;
}

function named(prefix: string, stream: string, subject: string): { stream: string; subject: string } {
  return prefix ? { stream: `${prefix}_${stream}`, subject: `${prefix}.${subject}` } : { stream, subject };
}
