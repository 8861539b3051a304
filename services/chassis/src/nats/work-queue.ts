export interface WorkQueue {
  readonly stream: string;
  readonly subject: string;
  /** With wildcards. Default: only `subject`. */
  readonly subjects?: readonly string[];
  readonly consumer: string;
  /** Same as JetStream's `ack_wait`. */
  readonly ackWaitMs: number;
}

export type MessageOutcome = { readonly kind: 'done' } | { readonly kind: 'retry'; readonly afterMs: number };

export const TRACEPARENT = 'traceparent';

export function messagingAttributes(queue: WorkQueue) {
  return { 'messaging.system': 'nats', 'messaging.destination.name': queue.subject };
}
