import { metrics } from '@opentelemetry/api';

/** Adding 0 creates the series, so that a rate sees its first increase. */
export function countUndecodable(source: string, documents: 0 | 1): void {
  // The meter returns the same instrument for the same name.
  metrics
    .getMeter('ces')
    .createCounter('ces.source.undecodable', {
      unit: '{document}',
      description: 'Documents of a source that were refused because their bytes are not of their charset.',
    })
    .add(documents, { source });
}
