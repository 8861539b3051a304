import { randomUUID } from 'node:crypto';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Endpoint, Target } from './endpoint.ts';
import { textShapes, valueShapes } from './shapes.ts';

/** Just below the message limit (deploy/docs/grpc.md). */
const MESSAGE_BYTES = 256 * 1024 - 2048;

export function methods({ operations, token }: Target): Endpoint[] {
  const client = createRpcClient(OperationsService, { url: operations, timeoutMs: 60_000 });
  const common = () => ({ caller: { identity: { case: 'bearer', value: token } } as const, requestKey: randomUUID() });
  const shapes = () => [...textShapes(MESSAGE_BYTES), ...valueShapes(MESSAGE_BYTES)].filter(({ text }) => isJson(text));
  const of = (name: string, send: (input: Input) => Promise<unknown>): Endpoint => ({
    name: `gRPC ${name}`,
    harmless: '{"query":"a"}',
    shapes,
    send: (text) => send(JSON.parse(text) as Input).then(() => 200, statusOf),
  });
  return [
    of('SubmitCompanySearch', ({ query = 'a', filters, cursor }) =>
      client.submitCompanySearch({
        ...common(),
        input: { query, filters: { domains: filters?.domains ?? [], occurredAfter: filters?.occurred_after }, cursor },
      }),
    ),
    of('SubmitObservationSearch', ({ query = 'a', filters, cursor }) =>
      client.submitObservationSearch({
        ...common(),
        input: { query, filters: { occurredAfter: filters?.occurred_after }, cursor },
      }),
    ),
    of('SubmitCompanyLookup', ({ query = 'a.example', filters, domains }) =>
      client.submitCompanyLookup({ ...common(), input: { domains: domains ?? filters?.domains ?? [query] } }),
    ),
    of('SubmitObservationLookup', ({ query = 'a.example', filters, domains, since = '', cursor }) =>
      client.submitObservationLookup({
        ...common(),
        input: { domains: domains ?? filters?.domains ?? [query], since, cursor },
      }),
    ),
    of('GetOperation', ({ query = 'a' }) =>
      client.getOperation({ caller: { identity: { case: 'bearer', value: query } }, operationId: 1n }),
    ),
    of('a request key', ({ query = 'a' }) =>
      client.submitDiagnostic({ ...common(), requestKey: `${query}${Math.random()}` }),
    ),
  ];
}

/** All other codes are a server fault or an outage. */
const REFUSALS: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.OutOfRange,
  Code.FailedPrecondition,
  Code.NotFound,
  Code.AlreadyExists,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.ResourceExhausted,
]);

/** Maps codes as the gateway does: 422 for a refusal, 500 for a failure. */
function statusOf(error: unknown): number {
  if (!(error instanceof ConnectError)) throw error;
  return REFUSALS.has(error.code) ? 422 : 500;
}

interface Input {
  readonly query?: string;
  readonly filters?: { readonly domains?: string[]; readonly occurred_after?: string };
  readonly domains?: string[];
  readonly since?: string;
  readonly cursor?: string;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
