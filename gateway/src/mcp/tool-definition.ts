import Type, { type TObject, type TProperties } from 'typebox';
import { ErrorBody } from '../schema/error.ts';
import { Pending } from '../schema/operation.ts';
import { closed } from '../schema/primitives.ts';

/** Part of every description, since a client may show a model nothing else. */
export const HOW_TO_CALL = `- The identical call with the same \`request_key\` is the same operation, charged once: repeat it after a lost answer, and every few seconds while the result has only \`usage\`. New work needs a new key.
- Cost: one request unit, and one delivered unit for each company returned.
- A result with \`error\` is a refusal: decide by \`error.code\`, and do not repeat refused input. \`request_limit_reached\`: wait until \`retry_at\` or ask for less.`;

const RequestKeyArgument = Type.String({
  minLength: 1,
  maxLength: 1024,
  description:
    'Names the operation, like the Idempotency-Key header of the HTTP interface: the two are one. Reuse it only to repeat the identical call; every page and all new work needs a new one, for example a UUID.',
});

/** Some model APIs reject alternatives at the root. */
export function toolInputSchema<P extends TProperties>(title: string, properties: P) {
  return plain(closed(title, { ...properties, request_key: RequestKeyArgument }));
}

export function toolOutputSchema(result: TObject) {
  return plain({ type: 'object' as const, oneOf: [result, Pending, ErrorBody] });
}

/** Internals of the schema library. */
function plain<T extends { readonly type: 'object' }>(schema: T): { [key: string]: unknown; type: 'object' } {
  return JSON.parse(JSON.stringify(schema));
}
