import { type FailureCode, FailureSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { Health, type HealthCheckResponse_ServingStatus } from '@ces/proto/grpc/health/v1/health_pb.ts';
import { ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';

export interface Seen {
  readonly first: LookedUp;
  readonly again: LookedUp;
  /** The refusal of a second lookup, and whether it has a `retry_at`. */
  readonly failure: { readonly code: FailureCode | undefined; readonly retryAt: boolean };
  readonly health: HealthCheckResponse_ServingStatus | undefined;
  /** ALPN name as the browser reports it, for example `h2`. */
  readonly protocol: string;
}

interface LookedUp {
  readonly replayed: boolean;
  readonly id: string;
  readonly requestUnits: string;
}

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
  // The browser also requests an icon.
  return fetched.find(({ initiatorType }) => initiatorType === 'fetch')?.nextHopProtocol ?? '';
}

interface Fetched {
  readonly initiatorType?: string;
  readonly nextHopProtocol?: string;
}

Object.assign(globalThis, { callOverGrpcWeb });
