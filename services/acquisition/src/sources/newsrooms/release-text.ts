import { contactSpans } from '@ces/proto/contact-details';
import { tidyText } from '../../extract/html.ts';
import { fits } from '../../extract/passage.ts';

/** Of one release, in UTF-16 units. */
const MOST_CHARACTERS = 20_000;
/** Where a release ends and what every one of its company ends with begins. */
const BOILERPLATE =
  /^(?:about (?:the )?[\p{Lu}\p{N}][^.!?]{0,80}:?$|about (?:us|the company)\b|(?:\W*)(?:forward[- ]looking|cautionary (?:note|statement)|safe harbou?r|non-gaap|disclaimer)|(?:for )?(?:media|press|investor|company|public)(?: relations)?(?: and investor)? (?:contacts?|inquiries|enquiries|relations)|(?:media |press |investor )?contacts?:?$|for (?:more|further|additional) information\b|source[: ]|# ?# ?#|view (?:original|source)|©|copyright \d|related links|notes? to editors?|certain statements)/iu;
const PERSON_LINE = /\b(?:contact|reach|call|e-?mail|phone|tel)\b/i;

/**
 * The text of a release without what is no news of it: from the boilerplate on (About…, forward-looking statements, contacts)
 * nothing is kept, and no line with a contact.
 */
export function releaseText(text: string): string {
  const lines = tidyText(text.slice(0, MOST_CHARACTERS * 2))
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const end = lines.findIndex((line, index) => index > 0 && BOILERPLATE.test(line));
  const own = end < 0 ? lines : lines.slice(0, end);
  const kept = own.filter((line) => !isContact(line)).join('\n');
  return fits(kept, MOST_CHARACTERS) ? kept : kept.slice(0, MOST_CHARACTERS).toWellFormed();
}

/** A line that names whom to write to or call. */
function isContact(line: string): boolean {
  return contactSpans(line).length > 0 && (line.length < 200 || PERSON_LINE.test(line));
}
