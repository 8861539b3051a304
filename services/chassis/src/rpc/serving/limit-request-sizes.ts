import { Code, ConnectError, type ConnectRouter, type MethodImpl } from '@connectrpc/connect';
import { largestRequest, type RequestSizes } from '../message-size.ts';

export function limitRequestSizes(router: ConnectRouter, sizes: RequestSizes): ConnectRouter {
  const bounded: ConnectRouter = {
    handlers: router.handlers,
    rpc: (method, implementation, options) => {
      const readMaxBytes = largestRequest(sizes, method.parent.typeName, method.name);
      router.rpc(method, implementation, { ...options, readMaxBytes });
      return bounded;
    },
    service: (service, implementation, options) => {
      const methods = implementation as Readonly<Record<string, CallableFunction | undefined>>;
      for (const method of service.methods) {
        const run = methods[method.localName]?.bind(implementation) ?? notImplemented(method);
        bounded.rpc(method, run as MethodImpl<typeof method>, options);
      }
      return bounded;
    },
  };
  return bounded;
}

function notImplemented({ name, parent }: { name: string; parent: { typeName: string } }): () => never {
  return () => {
    throw new ConnectError(`${parent.typeName}.${name} is not implemented`, Code.Unimplemented);
  };
}
