import { type Counter, metrics } from '@opentelemetry/api';

let dropped: Counter | undefined;

/** Sources write anything into these fields: a number may fail its form or check digits. */
export function countDroppedIdentifier(scheme: string): void {
  dropped ??= metrics.getMeter('ces').createCounter('ces.record.identifiers.dropped', {
    description: 'Numbers of companies that failed the form of their scheme and were not recorded.',
  });
  dropped.add(1, { scheme });
}
