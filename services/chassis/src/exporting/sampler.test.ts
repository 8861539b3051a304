import { type Context, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { createSampler, type TelemetryPosition } from './sampler.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

const RECORDED: Context = trace.setSpanContext(ROOT_CONTEXT, {
  traceId: TRACE,
  spanId: 'b7ad6b7169203331',
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

interface Named {
  readonly ratio: number;
  readonly position?: TelemetryPosition;
  readonly sampler?: string;
  readonly argument?: string;
}

function isRecorded({ ratio, position = 'inside', sampler, argument }: Named, parent = ROOT_CONTEXT): boolean {
  const env = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument };
  const { decision } = createSampler(ratio, position, env).shouldSample(parent, TRACE, 'a', SpanKind.SERVER, {}, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

test('a span of our own processes decides for the whole trace, a span of others for none', () => {
  expect(isRecorded({ ratio: 1 })).toBe(true);
  expect(isRecorded({ ratio: 0 })).toBe(false);
  expect(isRecorded({ ratio: 0 }, RECORDED)).toBe(true);
  expect(isRecorded({ ratio: 0, position: 'edge' }, RECORDED)).toBe(false);
});

test("the specification's sampler wins over our share", () => {
  expect(isRecorded({ ratio: 0, sampler: 'always_on' })).toBe(true);
  expect(isRecorded({ ratio: 1, sampler: 'always_off' })).toBe(false);
  expect(isRecorded({ ratio: 0, sampler: 'traceidratio', argument: '1' })).toBe(true);
  expect(isRecorded({ ratio: 1, sampler: 'parentbased_traceidratio', argument: '0' })).toBe(false);
  expect(isRecorded({ ratio: 1, sampler: 'parentbased_always_off' }, RECORDED)).toBe(true);
});

test('with any named sampler, the trace flag of another program turns nothing on', () => {
  for (const sampler of ['parentbased_always_off', 'always_off'])
    expect(isRecorded({ ratio: 1, position: 'edge', sampler }, RECORDED)).toBe(false);
  const never = { ratio: 1, position: 'edge', sampler: 'parentbased_traceidratio', argument: '0' } as const;
  expect(isRecorded(never, RECORDED)).toBe(false);
});
