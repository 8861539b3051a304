/** bigint ids as numbers, control characters escaped for terminals. */
export function asJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? Number(item) : item), indent);
  return json.replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}
