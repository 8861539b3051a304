import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import fastify from 'fastify';

/** As the gateway makes its own. */
const HTTP = {
  maxHeaderSize: 24_576,
  requireHostHeader: false,
  connectionsCheckingInterval: 1_000,
  requestTimeout: 30_000,
  headersTimeout: 10_000,
};

interface Call {
  readonly Params: { readonly key: string; readonly company: string; readonly subscription: string };
}

/** Takes calls over HTTP/1.1 and hands them on; its address. */
export async function startGateway(operations: Client<typeof OperationsService>): Promise<string> {
  const app = fastify({
    http: HTTP,
    keepAliveTimeout: 72_000,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
  });
  const callerOf = ({ subscription }: Call['Params']) => {
    const id = BigInt(subscription);
    return { identity: { case: 'principal', value: { accountId: id, subscriptionId: id, credentialId: id } } } as const;
  };
  app.get<Call>('/look-up/:key/:company/:subscription', async ({ params }) => {
    const input = { ids: [BigInt(params.company)] };
    const request = { caller: callerOf(params), requestKey: params.key, input };
    const { answer } = await operations.submitCompanyLookup(request);
    return { id: Number(answer?.usage?.id) };
  });
  app.get<Call>('/search/:key/:company/:subscription', async ({ params }) => {
    const input = { query: params.company };
    const request = { caller: callerOf(params), requestKey: params.key, input };
    const { answer } = await operations.submitCompanySearch(request);
    return { id: Number(answer?.usage?.id) };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}
