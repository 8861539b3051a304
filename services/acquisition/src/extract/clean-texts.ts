import { withoutContacts } from '@ces/proto/contact-details';
import type { JsonMembers } from './json.ts';

/** A record whose free texts (`names`) are kept without the e-mail addresses and telephone numbers that people write into them. */
export function withCleanTexts(record: JsonMembers, names: readonly string[]): JsonMembers {
  const clean = names.flatMap((name) => {
    const text = record[name];
    return typeof text === 'string' ? [[name, withoutContacts(text)] as const] : [];
  });
  return { ...record, ...Object.fromEntries(clean) };
}
