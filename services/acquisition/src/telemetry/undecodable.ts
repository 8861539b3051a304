import { metrics } from '@opentelemetry/api';

/** Counts documents of a source that hold bytes which their charset does not have. 0 makes the series, so that its first increase is seen. */
export function countUndecodable(source: string, documents: 0 | 1): void {
  // The same instrument each time: the meter keeps one of a name.
  metrics
    .getMeter('ces')
    .createCounter('ces.source.undecodable', {
      unit: '{document}',
      description: 'Documents of a source that were refused because their bytes are not of their charset.',
    })
    .add(documents, { source });
}
