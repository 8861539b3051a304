const INPUTS_A_CALL = 20;

export function splitCalls(values: readonly string[]): readonly (readonly string[])[] {
  const calls: (readonly string[])[] = [];
  for (let from = 0; from < values.length; from += INPUTS_A_CALL) calls.push(values.slice(from, from + INPUTS_A_CALL));
  return calls;
}
