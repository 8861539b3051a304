import type { DescMethod } from '@bufbuild/protobuf';
import { createContextKey } from '@connectrpc/connect';
import { createMethodSerializationLookup, createMethodUrl } from '@connectrpc/connect/protocol';
import { type CallCredentials, Metadata } from '@grpc/grpc-js';
import { MAX_MESSAGE_BYTES } from '../message-size.ts';
import type { ServiceChannel } from './channel.ts';

/** Where calls go, and with what. */
export interface Connection {
  readonly to: ServiceChannel;
  /** Shown with every call. */
  readonly credentials: CallCredentials;
}

/** When a call is over, in milliseconds of `performance.now()`; interceptors have no other place for it. */
export const deadlineKey = createContextKey(0);

/** How many attempts were made before a call that resumes another one, whose answers broke off. */
export const attemptsKey = createContextKey(0);

/** The signal of calls that nobody gives up. */
export const NEVER = new AbortController().signal;

const LIMITS = { readMaxBytes: MAX_MESSAGE_BYTES, writeMaxBytes: MAX_MESSAGE_BYTES };

/** A method as gRPC carries it: its path, and its messages in binary form; both ways refuse what is too large. */
export interface WireMethod {
  readonly path: string;
  serialize(message: unknown): Buffer;
  parse(bytes: Buffer): unknown;
}

const known = new WeakMap<DescMethod, WireMethod>();

/** How `method` is carried; made with its first call. */
export function wireMethod(method: DescMethod): WireMethod {
  const found = known.get(method) ?? describe(method);
  known.set(method, found);
  return found;
}

/** Headers as gRPC carries them. */
export function metadataOf(header: Headers): Metadata {
  const metadata = new Metadata();
  header.forEach((value, key) => {
    metadata.set(key, value);
  });
  return metadata;
}

function describe(method: DescMethod): WireMethod {
  const messages = createMethodSerializationLookup(method, undefined, undefined, LIMITS);
  const input = messages.getI(true);
  const output = messages.getO(true);
  return {
    path: createMethodUrl('/', method),
    serialize: (message) => {
      const { buffer, byteOffset, byteLength } = input.serialize(message as Parameters<typeof input.serialize>[0]);
      return Buffer.from(buffer, byteOffset, byteLength);
    },
    // Plain bytes: fields of a message must not turn into buffers, whose `slice` is another.
    parse: ({ buffer, byteOffset, byteLength }) => output.parse(new Uint8Array(buffer, byteOffset, byteLength)),
  };
}
