import { type FailureCode, FailureSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { Health, type HealthCheckResponse_ServingStatus } from '@ces/proto/grpc/health/v1/health_pb.ts';
import { ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';

/** What a page in a browser saw of the servers. */
export interface Seen {
  readonly first: LookedUp;
  readonly again: LookedUp;
  /** With which a second look-up is refused, and whether it says until when. */
  readonly failure: { readonly code: FailureCode | undefined; readonly retryAt: boolean };
  /** The first message of a stream. */
  readonly health: HealthCheckResponse_ServingStatus | undefined;
  /** As the browser names what it spoke, `h2` for one. */
  readonly protocol: string;
}

interface LookedUp {
  readonly replayed: boolean;
  readonly id: string;
  readonly requestUnits: string;
}

/** Makes the calls of a page over gRPC-Web to the origin that it came from. */
async function callOverGrpcWeb(origin: string, apiKey: string): Promise<Seen> {
  const transport = createGrpcWebTransport({ baseUrl: origin });
  return {
    first: await lookUp(transport, apiKey, 'web-1'),
    again: await lookUp(transport, apiKey, 'web-1'),
    failure: await lookUp(transport, apiKey, 'web-2').then(wasAnswered, failureOf),
    health: await firstHealth(transport),
    protocol: spokenProtocol(),
  };
}

async function lookUp(transport: Transport, apiKey: string, requestKey: string): Promise<LookedUp> {
  const caller = { identity: { case: 'bearer', value: apiKey } } as const;
  const request = { caller, requestKey, input: { ids: [1n] } };
  const { answer } = await createClient(OperationsService, transport).submitCompanyLookup(request);
  const { id, units } = answer?.usage ?? {};
  return { replayed: answer?.replayed ?? false, id: String(id), requestUnits: String(units?.requestUnits) };
}

function wasAnswered(): never {
  throw new Error('a call beyond the allowance was answered');
}

function failureOf(error: unknown): Seen['failure'] {
  const [failure] = ConnectError.from(error).findDetails(FailureSchema);
  return { code: failure?.code, retryAt: failure?.retryAt !== undefined };
}

async function firstHealth(transport: Transport): Promise<Seen['health']> {
  for await (const { status } of createClient(Health, transport).watch({})) return status;
  return undefined;
}

function spokenProtocol(): string {
  const fetched = performance.getEntriesByType('resource').map((entry) => entry.toJSON() as Fetched);
  // The browser asks for an icon as well.
  return fetched.find(({ initiatorType }) => initiatorType === 'fetch')?.nextHopProtocol ?? '';
}

interface Fetched {
  readonly initiatorType?: string;
  readonly nextHopProtocol?: string;
}

Object.assign(globalThis, { callOverGrpcWeb });
