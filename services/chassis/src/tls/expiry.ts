import { metrics } from '@opentelemetry/api';
import type { Certificates } from './read-certificates.ts';

/**
 * Reports when the certificates of `name` expire, in seconds since 1970: part `own` for this
 * process, part `authority` for the CAs.
 */
export function observeExpiry(name: string, current: () => Certificates): void {
  const gauge = metrics.getMeter('ces').createObservableGauge('ces.certificate.expires_at', {
    unit: 's',
    description: 'When a certificate in use ends, as seconds since 1970.',
  });
  gauge.addCallback((result) => {
    const { ownExpiresAt, authorityExpiresAt } = current();
    const parts = { own: ownExpiresAt, authority: authorityExpiresAt };
    for (const [part, at] of Object.entries(parts))
      if (at) result.observe(at.getTime() / 1000, { certificate: name, part });
  });
}
