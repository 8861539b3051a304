import type { DescMethod } from '@bufbuild/protobuf';
import { createContextKey } from '@connectrpc/connect';
import { createMethodSerializationLookup, createMethodUrl } from '@connectrpc/connect/protocol';
import { type CallCredentials, Metadata } from '@grpc/grpc-js';
import { MAX_MESSAGE_BYTES } from '../message-size.ts';
import type { ServiceChannel } from './channel.ts';

export interface Connection {
  readonly to: ServiceChannel;
  readonly credentials: CallCredentials;
}

/** A time of `performance.now()`; interceptors have no other place for it. */
export const deadlineKey = createContextKey(0);

/** Attempts made before this call, which resumes a broken one. */
export const attemptsKey = createContextKey(0);

export const NEVER = new AbortController().signal;

const LIMITS = { readMaxBytes: MAX_MESSAGE_BYTES, writeMaxBytes: MAX_MESSAGE_BYTES };

export interface WireMethod {
  readonly path: string;
  serialize(message: unknown): Buffer;
  parse(bytes: Buffer): unknown;
}

const known = new WeakMap<DescMethod, WireMethod>();

export function wireMethod(method: DescMethod): WireMethod {
  const found = known.get(method) ?? describe(method);
  known.set(method, found);
  return found;
}

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
    // A Buffer would leak into bytes fields, and its `slice` shares memory.
    parse: ({ buffer, byteOffset, byteLength }) => output.parse(new Uint8Array(buffer, byteOffset, byteLength)),
  };
}
