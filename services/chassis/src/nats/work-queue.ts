export interface WorkQueue {
  readonly stream: string;
  readonly subject: string;
  /** All subjects of the stream, with wildcards. Default: only `subject`. */
  readonly subjects?: readonly string[];
  readonly consumer: string;
  /**
   * Same as JetStream's `ack_wait`, in milliseconds: after it an unacknowledged message is
   * redelivered.
   */
  readonly ackWaitMs: number;
}

export type MessageOutcome = { readonly kind: 'done' } | { readonly kind: 'retry'; readonly afterMs: number };

export const TRACEPARENT = 'traceparent';

export function messagingAttributes(queue: WorkQueue) {
  return { 'messaging.system': 'nats', 'messaging.destination.name': queue.subject };
}
