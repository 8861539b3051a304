import Type, { type TObject, type TProperties } from 'typebox';
import { ErrorBody } from '../schema/error.ts';
import { Pending } from '../schema/operation.ts';
import { closed } from '../schema/primitives.ts';

/** Part of every tool description, since a client may show a model nothing else. */
export const HOW_TO_CALL = `How to call:
- Key: \`request_key\` names the operation. The identical call with the same key is the same operation and is never charged twice, so after a lost answer repeat it as it was. Other arguments under a used key are \`idempotency_conflict\`. New work needs a new key.
- Poll: a result with only \`usage\` and \`request_allowance\` is not finished. Wait a few seconds, then repeat the identical call, same key included, until it is.
- Limits: \`request_allowance\` says how many request units are left in the rolling window of \`window_seconds\` and in the week, shared by the whole subscription. \`request_limit_reached\` is not a fault: wait until \`retry_at\`, or ask for less; do not loop. \`rate_limited\` and \`service_unavailable\`: wait, then repeat the identical call.
- Errors: a result with \`error\` is a refusal, never an empty result; decide by \`error.code\`. Do not repeat refused input unchanged. An error with \`usage\` is stored: its key replays it, and new work needs a new key. \`invalid_search\` and \`request_limit_reached\` without \`usage\` spent nothing and left the key free.`;

const RequestKeyArgument = Type.String({
  minLength: 1,
  maxLength: 1024,
  description:
    'Names the operation, like the Idempotency-Key header of the HTTP interface: the two are one. Reuse it only to repeat the identical call; every page and all new work needs a new one, for example a UUID.',
});

/**
 * The input schema of a tool. Its root is one object, because some model APIs reject alternatives
 * at the root.
 */
export function toolInputSchema<P extends TProperties>(title: string, properties: P) {
  return plain(closed(title, { ...properties, request_key: RequestKeyArgument }));
}

export function toolOutputSchema(result: TObject) {
  return plain({ type: 'object' as const, oneOf: [result, Pending, ErrorBody] });
}

/** Removes the internals of the schema library, since the wire format is JSON. */
function plain<T extends { readonly type: 'object' }>(schema: T): { [key: string]: unknown; type: 'object' } {
  return JSON.parse(JSON.stringify(schema));
}
