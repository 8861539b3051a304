/** A work-queue stream with one durable consumer: a list of bells to be answered once each. */
export interface BellQueue {
  readonly stream: string;
  readonly subject: string;
  readonly consumer: string;
  /** How long one bell may be worked on before it rings again, in milliseconds. */
  readonly ackWaitMs: number;
}

/** What became of a bell: answered, or to ring again after a while. */
export type BellOutcome = { readonly kind: 'done' } | { readonly kind: 'again'; readonly afterMs: number };

/** Header of a bell that carries the trace of who rang it. */
export const TRACEPARENT = 'traceparent';

/** What a span says of a queue. */
export function aboutBells(queue: BellQueue) {
  return { 'messaging.system': 'nats', 'messaging.destination.name': queue.subject };
}
