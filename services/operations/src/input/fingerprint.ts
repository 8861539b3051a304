import { createHash } from 'node:crypto';
import type { Input } from './form.ts';

export const NORMAL_FORM_VERSION = 1;

/** SHA-256 over version, action and RFC 8785 JSON (decision 0001). */
export function fingerprint({ action, form }: Input): Buffer {
  return createHash('sha256')
    .update(`${NORMAL_FORM_VERSION}\n${action}\n${canonicalJson(form)}`)
    .digest();
}

/** Leaves out the cursor, so that all pages of one search share it. */
export function pageFingerprint(input: Input): Buffer {
  const { cursor: _, ...form } = input.form as { cursor?: string };
  return fingerprint({ action: input.action, form } as Input);
}

export function listFingerprint(list: 'usages' | 'statement', filters: object): Buffer {
  return createHash('sha256')
    .update(`${list}\n${canonicalJson(filters)}`)
    .digest();
}

/** RFC 8785 for objects with ASCII names, arrays, well-formed strings and safe integers. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
