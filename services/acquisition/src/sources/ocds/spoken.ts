import type { Members } from '../../extract/members.ts';

/** A text in the publisher's language, else in English or French, as bilingual publishers name the members. */
export function spoken(members: Members, path: string): string | undefined {
  return members.text(path) ?? members.text(`${path}_en`) ?? members.text(`${path}_fr`);
}
