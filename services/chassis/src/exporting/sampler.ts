import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

/** `edge`: callers are untrusted. `inside`: callers are our own processes. */
export type TelemetryPosition = 'edge' | 'inside';

/** Parent-based unless `OTEL_TRACES_SAMPLER` is set. At the edge, a caller's flag is ignored. */
export function createSampler(ratio: number, position: TelemetryPosition, env: NodeJS.ProcessEnv): Sampler {
  const { OTEL_TRACES_SAMPLER: name = '', OTEL_TRACES_SAMPLER_ARG: argument } = env;
  const share = argument === undefined || name === '' ? ratio : shareOf(argument);
  const root = rootSampler(name.replace('parentbased_', ''), share);
  if (name !== '' && !name.startsWith('parentbased_')) return root;
  return new ParentBasedSampler({ root, ...(position === 'edge' && { remoteParentSampled: root }) });
}

function rootSampler(name: string, share: number): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler();
  if (name === 'always_off') return new AlwaysOffSampler();
  return new TraceIdRatioBasedSampler(share);
}

/** An invalid ratio counts as 1.0, as in the specification. */
function shareOf(argument: string): number {
  const share = Number(argument);
  return share >= 0 && share <= 1 ? share : 1;
}
