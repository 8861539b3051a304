import type { TraceLine } from '@ces/chassis/telemetry/trace-file';

/**
 * Caller and callee pairs in a set of spans: `gateway > operations`, `operations > postgres
 * operations`, `lookup > nats > search`.
 */
export function edgesOf(spans: readonly TraceLine[]): Set<string> {
  const byId = new Map(spans.map((span) => [span.span_id, span]));
  const edges = new Set<string>();
  for (const span of spans) {
    const database = span.attributes['db.namespace'];
    if (database !== undefined) edges.add(`${span.service} > postgres ${database}`);
    const cause = byId.get(span.parent_id ?? '') ?? byId.get(span.links[0]?.span_id ?? '');
    if (!cause) continue;
    if (span.kind === 'server' && cause.kind === 'client') edges.add(`${cause.service} > ${span.service}`);
    if (span.kind === 'consumer' && cause.kind === 'producer') edges.add(`${cause.service} > nats > ${span.service}`);
  }
  return edges;
}
