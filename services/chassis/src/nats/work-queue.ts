/** A work-queue stream with one durable consumer: each message is processed once. */
export interface WorkQueue {
  readonly stream: string;
  /** What messages are published to when nothing else is said. */
  readonly subject: string;
  /** All that the stream takes, with wildcards. Default: `subject` alone. */
  readonly subjects?: readonly string[];
  readonly consumer: string;
  /** How long one message may be processed before it is delivered again, in milliseconds. */
  readonly ackWaitMs: number;
}

/** What became of a message: done, or to be delivered again after a while. */
export type MessageOutcome = { readonly kind: 'done' } | { readonly kind: 'retry'; readonly afterMs: number };

/** Header of a message that carries the trace of its publisher. */
export const TRACEPARENT = 'traceparent';

/** What a span says of a queue. */
export function messagingAttributes(queue: WorkQueue) {
  return { 'messaging.system': 'nats', 'messaging.destination.name': queue.subject };
}
