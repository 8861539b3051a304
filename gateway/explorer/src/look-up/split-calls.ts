/** Ids or domains that one look-up takes. */
const INPUTS_A_CALL = 20;

/** What stands in one call each, in order. */
export function splitCalls(values: readonly string[]): readonly (readonly string[])[] {
  const calls: (readonly string[])[] = [];
  for (let from = 0; from < values.length; from += INPUTS_A_CALL) calls.push(values.slice(from, from + INPUTS_A_CALL));
  return calls;
}
