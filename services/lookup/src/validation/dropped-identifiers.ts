import { type Counter, metrics } from '@opentelemetry/api';

let dropped: Counter | undefined;

/** Counts a number that fails the form or the check digits of its scheme: sources write what they like into such a field. */
export function countDroppedIdentifier(scheme: string): void {
  dropped ??= metrics.getMeter('ces').createCounter('ces.record.identifiers.dropped', {
    description: 'Numbers of companies that failed the form of their scheme and were not recorded.',
  });
  dropped.add(1, { scheme });
}
