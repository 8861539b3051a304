import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

/** Whether callers are strangers (`edge`) or processes of ours. */
export type TelemetryPosition = 'edge' | 'inside';

/**
 * The sampler that `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` name; else a share of new traces, which one of our
 * processes decides for the whole trace. At the edge the flag of a stranger turns nothing on, whatever is named.
 */
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

/** The specification has everything sampled where the share is none. */
function shareOf(argument: string): number {
  const share = Number(argument);
  return share >= 0 && share <= 1 ? share : 1;
}
