import Type, { type TObject, type TProperties } from 'typebox';
import { ErrorBody } from '../schema/error.ts';
import { Pending } from '../schema/operation.ts';
import { closed } from '../schema/primitives.ts';

const RequestKeyArgument = Type.String({
  minLength: 1,
  maxLength: 1024,
  description:
    'Names the operation, like the Idempotency-Key header of the HTTP interface: the two are one. Reuse it only to repeat the identical call; every page and all new work needs a new one, for example a UUID.',
});

/** A root that is an object without alternatives: not every model's interface takes those at the root. */
export function inputSchema<P extends TProperties>(title: string, properties: P) {
  return plain(closed(title, { ...properties, request_key: RequestKeyArgument }));
}

export function outputSchema(result: TObject) {
  return plain({ type: 'object' as const, oneOf: [result, Pending, ErrorBody] });
}

/** Schemas are values of the library that built them; the wire wants JSON. */
function plain<T extends { readonly type: 'object' }>(schema: T): { [key: string]: unknown; type: 'object' } {
  return JSON.parse(JSON.stringify(schema));
}
