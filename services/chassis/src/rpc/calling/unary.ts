import { Code, ConnectError, type UnaryRequest, type UnaryResponse } from '@connectrpc/connect';
import { type StatusObject, status } from '@grpc/grpc-js';
import { libraryDeadline } from './deadline.ts';
import { errorOfStatus } from './status.ts';
import { type Connection, deadlineKey, metadataOf, NEVER, wireMethod } from './wire.ts';

const NONE = new Headers();

export function createUnaryCaller({ to: { channel }, credentials }: Connection) {
  return async (request: UnaryRequest): Promise<UnaryResponse> => {
    const { method, signal } = request;
    const { path, serialize, parse } = wireMethod(method);
    const bytes = serialize(request.message);
    const deadline = libraryDeadline(request.contextValues.get(deadlineKey));
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const call = channel.createCall(path, deadline, null, null, null);
    call.setCredentials(credentials);
    let answer: Buffer | undefined;
    call.start(metadataOf(request.header), {
      onReceiveMetadata: () => undefined,
      onReceiveMessage: (message: Buffer) => {
        answer = message;
      },
      onReceiveStatus: (outcome: StatusObject) => {
        if (outcome.code !== status.OK) reject(errorOfStatus(outcome));
        else if (answer) resolve(answer);
        else reject(new ConnectError('the answer has no message', Code.Internal));
      },
    });
    call.startRead();
    call.sendMessageWithContext({}, bytes);
    call.halfClose();
    const received = await untilAborted(promise, signal, () => call.cancelWithStatus(status.CANCELLED, 'given up'));
    const message = parse(received) as UnaryResponse['message'];
    return { stream: false, service: method.parent, method, header: NONE, trailer: NONE, message };
  };
}

async function untilAborted<T>(coming: Promise<T>, signal: AbortSignal, cancel: () => void): Promise<T> {
  if (signal === NEVER) return await coming;
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await coming;
  } catch (error) {
    throw signal.aborted ? ConnectError.from(signal.reason, Code.Canceled) : error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
