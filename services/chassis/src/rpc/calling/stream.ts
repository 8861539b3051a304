import { once } from 'node:events';
import { ConnectError, type StreamRequest, type StreamResponse } from '@connectrpc/connect';
import { Client, credentials as channelCredentials, type Metadata, type StatusObject } from '@grpc/grpc-js';
import { libraryDeadline } from './deadline.ts';
import { countPriorAttempts, markResumable } from './prior-attempts.ts';
import { errorOfStatus } from './status.ts';
import { attemptsKey, type Connection, deadlineKey, metadataOf, wireMethod } from './wire.ts';

export function createStreamCaller({ to: { channel }, credentials }: Connection) {
  const client = new Client(channel.getTarget(), channelCredentials.createInsecure(), { channelOverride: channel });
  return async ({
    service,
    method,
    signal,
    header,
    contextValues,
    message,
  }: StreamRequest): Promise<StreamResponse> => {
    const { path, serialize, parse } = wireMethod(method);
    const deadline = libraryDeadline(contextValues.get(deadlineKey));
    const asTheyAre = (bytes: Buffer) => bytes;
    const call = client.makeBidiStreamRequest(path, asTheyAre, parse, metadataOf(header), {
      deadline,
      credentials: countPriorAttempts(credentials, contextValues.get(attemptsKey)),
    });
    let headers: Metadata | undefined;
    call.once('metadata', (received: Metadata) => {
      headers = received;
    });
    const cancel = () => call.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    let refused: unknown;
    const send = async () => {
      // Serializes before writing: a message that is too large fails with its own error.
      for await (const one of message) if (!call.write(serialize(one))) await once(call, 'drain');
      call.end();
    };
    send().catch((error: unknown) => {
      refused = error;
      cancel();
    });
    async function* received() {
      try {
        yield* call;
      } catch (error) {
        if (refused instanceof ConnectError) throw refused;
        throw isStatus(error) ? markResumable(errorOfStatus(error), error, headers) : ConnectError.from(error);
      } finally {
        signal.removeEventListener('abort', cancel);
        cancel();
      }
    }
    const answers = received() as StreamResponse['message'];
    return { stream: true, service, method, header: new Headers(), trailer: new Headers(), message: answers };
  };
}

function isStatus(error: unknown): error is StatusObject {
  return error instanceof Error && 'code' in error && 'details' in error && 'metadata' in error;
}
