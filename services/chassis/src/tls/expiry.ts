import { metrics } from '@opentelemetry/api';
import type { Certificates } from './read-certificates.ts';

/**
 * Tells at every scrape when the certificates end that `name` shows (`part` own) and checks peers with (`part` authority), in
 * seconds since 1970.
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
