import { create, type DescMessage, isMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import {
  createContextValues,
  type Interceptor,
  type StreamResponse,
  type Transport,
  type UnaryResponse,
} from '@connectrpc/connect';
import { createMethodUrl } from '@connectrpc/connect/protocol';
import { createStreamCaller } from './stream.ts';
import { createUnaryCaller } from './unary.ts';
import { type Connection, deadlineKey, NEVER } from './wire.ts';

export interface TransportOptions extends Connection {
  readonly url: string;
  readonly interceptors: readonly Interceptor[];
  readonly timeoutMs: number;
}

/** Over a grpc-js channel; failures keep their details. */
export function createTransport(options: TransportOptions): Transport {
  const { interceptors, timeoutMs: defaultTimeoutMs, to, url } = options;
  const callUnary = createUnaryCaller(options);
  const callStream = createStreamCaller(options);
  const call = interceptors.reduceRight<ReturnType<Interceptor>>(
    (next, intercept) => intercept(next),
    (request) => (request.stream ? callStream(request) : callUnary(request)),
  );
  const envelope = (signal: Given<1>, timeoutMs: Given<2>, header: Given<3>, values: Given<5>) => ({
    requestMethod: 'POST',
    signal: signal ?? NEVER,
    header: new Headers(header),
    contextValues: (values ?? createContextValues()).set(deadlineKey, deadlineIn(timeoutMs ?? defaultTimeoutMs)),
  });
  return {
    unary: async <I extends DescMessage, O extends DescMessage>(...given: Parameters<Transport['unary']>) => {
      const [method, signal, timeoutMs, header, message, values] = given;
      await to.reached();
      const answer = await call({
        ...envelope(signal, timeoutMs, header, values),
        stream: false,
        service: method.parent,
        method,
        url: createMethodUrl(url, method),
        message: whole(method.input, message),
      });
      return answer as UnaryResponse<I, O>;
    },
    stream: async <I extends DescMessage, O extends DescMessage>(...given: Parameters<Transport['stream']>) => {
      const [method, signal, timeoutMs, header, messages, values] = given;
      await to.reached();
      const answer = await call({
        ...envelope(signal, timeoutMs, header, values),
        stream: true,
        service: method.parent,
        method,
        url: createMethodUrl(url, method),
        message: wholeOnes(method.input, messages),
      });
      return answer as StreamResponse<I, O>;
    },
  };
}

type Given<N extends number> = Parameters<Transport['unary']>[N];

/** As in Connect, zero or less means no deadline. */
function deadlineIn(ms: number): number {
  return ms <= 0 ? Number.POSITIVE_INFINITY : performance.now() + ms;
}

function whole<D extends DescMessage>(schema: D, message: MessageInitShape<D>): MessageShape<D> {
  return isMessage(message, schema) ? message : create(schema, message);
}

async function* wholeOnes<D extends DescMessage>(schema: D, messages: AsyncIterable<MessageInitShape<D>>) {
  for await (const message of messages) yield whole(schema, message);
}
