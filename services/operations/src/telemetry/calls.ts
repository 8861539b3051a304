import { type CallOutcome, createCallMeter, type ExternalCall, outcomeOfFailure } from '@ces/chassis/telemetry/calls';
import type { Caller, OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { Input } from '../input/form.ts';

interface Request {
  readonly caller?: Caller | undefined;
  readonly background?: boolean;
  readonly waitMs?: number | undefined;
}

interface Response {
  readonly answer?: OperationAnswer | undefined;
}

interface Page {
  readonly nextCursor?: string | undefined;
}

/** Unless the gateway made it: the gateway counts its own calls. */
export type CountGrpc = <R extends Response | Page>(
  action: Input['action'] | 'usage' | 'usages' | 'statement',
  request: Request,
  work: () => Promise<R>,
) => Promise<R>;

export function createCountGrpc(): CountGrpc {
  const measure = createCallMeter();
  return async (action, request, work) => {
    if (request.caller?.identity.case === 'principal') return await work();
    const began = performance.now();
    const mode = action === 'usage' ? 'poll' : modeOf(request);
    const done = (outcome: CallOutcome) =>
      measure({ surface: 'grpc', action, mode, outcome }, (performance.now() - began) / 1_000);
    try {
      const response = await work();
      done('answer' in response ? outcomeOf(response, mode) : 'ok');
      return response;
    } catch (error) {
      done(outcomeOfFailure(error));
      throw error;
    }
  };
}

function modeOf({ background, waitMs }: Request): ExternalCall['mode'] {
  return background || waitMs === 0 ? 'background' : 'front';
}

/** As in the gateway: a stored failure counts once, not again on replay. */
function outcomeOf({ answer }: Response, mode: ExternalCall['mode']): CallOutcome {
  const isEnded = answer?.outcome.case !== 'pending';
  if (!isEnded) return mode === 'front' ? 'late' : 'ok';
  const isReplay = mode === 'poll' || answer?.replayed;
  return answer?.outcome.case === 'failed' && !isReplay ? 'ours' : 'ok';
}
