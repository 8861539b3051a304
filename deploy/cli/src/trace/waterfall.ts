import type { TraceLine } from '@ces/chassis/telemetry/trace-file';
import { brief } from '../output/table.ts';

const BAR_WIDTH = 32;
const NAME_WIDTH = 64;

/** A line per span: bar, start and duration in ms, service and name, indented by parent. */
export function waterfall(spans: readonly TraceLine[]): string {
  const ordered = inOrder(spans);
  const begin = Math.min(...spans.map((span) => span.start_ms));
  const length = Math.max(...spans.map((span) => span.end_ms)) - begin;
  const serviceWidth = Math.max(...spans.map((span) => span.service.length));
  const services = new Set(spans.map((span) => span.service));
  const head = `trace ${spans[0]?.trace_id}  ${milliseconds(length)} ms, ${spans.length} spans in ${services.size} processes`;
  const rows = ordered.map(({ span, depth }) =>
    [
      bar(span, begin, length),
      milliseconds(span.start_ms - begin).padStart(9),
      milliseconds(span.end_ms - span.start_ms).padStart(9),
      span.service.padEnd(serviceWidth),
      `${'  '.repeat(depth)}${brief(labelOf(span), NAME_WIDTH)}${span.error ? `  ✗ ${span.error}` : ''}`,
    ].join('  '),
  );
  return [head, `${''.padEnd(BAR_WIDTH)}${'start ms'.padStart(11)}${'took ms'.padStart(11)}`, ...rows].join('\n');
}

interface SpanAtDepth {
  readonly span: TraceLine;
  readonly depth: number;
}

function inOrder(spans: readonly TraceLine[]): SpanAtDepth[] {
  const known = new Set(spans.map((span) => span.span_id));
  const children = Map.groupBy(spans, ({ parent_id }) => (parent_id && known.has(parent_id) ? parent_id : ''));
  const below = (parent: string, depth: number): SpanAtDepth[] =>
    (children.get(parent) ?? [])
      .toSorted((a, b) => a.start_ms - b.start_ms)
      .flatMap((span) => [{ span, depth }, ...below(span.span_id, depth + 1)]);
  return below('', 0);
}

/** An arrow marks spans that call another process, a database or the broker. */
function labelOf({ kind, name, attributes }: TraceLine): string {
  const short = name.replace(/^ces\.\w+\.v1\./, '');
  const status = attributes['http.response.status_code'];
  const outcome = attributes['error.type'] ?? status;
  const text = outcome === undefined ? short : `${short} (${outcome})`;
  if (kind === 'client' || kind === 'producer') return `→ ${text}`;
  return text;
}

function bar(span: TraceLine, begin: number, length: number): string {
  const at = (ms: number) => (length === 0 ? 0 : Math.round(((ms - begin) / length) * BAR_WIDTH));
  const from = Math.min(at(span.start_ms), BAR_WIDTH - 1);
  const cells = Math.max(1, at(span.end_ms) - from);
  return `${' '.repeat(from)}${'█'.repeat(cells)}`.padEnd(BAR_WIDTH);
}

function milliseconds(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}
