/** A value as indented JSON with a final newline; ids of the record fit into numbers. */
export function writeJson(value: unknown): string {
  return `${JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? Number(item) : item), 2)}\n`;
}
