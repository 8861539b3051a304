import type { DescMethod, DescMethodUnary } from '@bufbuild/protobuf';
import type { ConnectRouter, MethodImpl } from '@connectrpc/connect';
import { createMethodSerializationLookup, createMethodUrl } from '@connectrpc/connect/protocol';

/** A method of ours as it is called: its path, its implementation, and its messages in binary form. */
export interface UnaryMethod {
  readonly method: DescMethodUnary;
  readonly implementation: MethodImpl<DescMethodUnary>;
  readonly codec: UnaryCodec;
}

export type UnaryCodec = ReturnType<typeof codecOf>;

/** Reads and writes the messages of a method; both refuse what has more than `maxBytes`. */
export function codecOf(method: DescMethodUnary, maxBytes: number) {
  const limits = { readMaxBytes: maxBytes, writeMaxBytes: maxBytes };
  const messages = createMethodSerializationLookup(method, undefined, undefined, limits);
  return { input: messages.getI(true), output: messages.getO(true) };
}

/** All unary methods that `routes` registers, by path. */
export function unaryMethodsOf(
  routes: (router: ConnectRouter) => void,
  maxBytes: number,
): ReadonlyMap<string, UnaryMethod> {
  const found = new Map<string, UnaryMethod>();
  const add = (method: DescMethod, implementation: unknown) => {
    if (!isUnary(method) || typeof implementation !== 'function') return;
    const codec = codecOf(method, maxBytes);
    found.set(createMethodUrl('/', method), {
      method,
      implementation: implementation as UnaryMethod['implementation'],
      codec,
    });
  };
  const router: ConnectRouter = {
    handlers: [],
    service: (service, implementations) => {
      const byName = implementations as Readonly<Record<string, unknown>>;
      for (const method of service.methods) add(method, byName[method.localName]);
      return router;
    },
    rpc: (method, implementation) => {
      add(method, implementation);
      return router;
    },
  };
  routes(router);
  return found;
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === 'unary';
}
