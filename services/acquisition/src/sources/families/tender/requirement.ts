import { contactSpans } from '@ces/proto/contact-details';
import { startOutside } from '../../../extract/passages/passage.ts';
import { isPersonName, personSpans } from '../../../extract/passages/persons.ts';
import { isBoilerplate } from './boilerplate.ts';

const MOST_BEFORE_HEADING = 2_000;
const MOST_PASSED = 60;
const CONTACT_LINE = 120;

/** This many lines before the heading make a form. */
const FIELD = /^[^\n:.]{2,50}:/gm;
const FIELDS_OF_A_FORM = 4;

const HEADING =
  /(?:(?<![\p{L}])(?:description|nature|summary|scope|objective|purpose) (?:of|du|des|de la) (?:the )?(?:requirements?|work|services?|project|besoins?|travaux|projet)|(?<![\p{L}])requirement description|^(?:description|requirements?|besoins?|scope|objectives?|objectifs?|purpose))\s?:\s{0,5}/imu;
/** Where a buyer states the requirement inside a sentence that is skipped. */
const AFTER_ALL =
  /(?<=[\s.)])(?:The|This|Our|Le|La) [\p{L}\p{N} .&,'’()/-]{1,70} (?:requires? the following|has a (?:requirement|need) for|is seeking|seeks|intends to (?:purchase|procure|acquire|award|solicit))\b/u;
const SENTENCE_END =
  /[.!?](?<!\b(?:No|Nos|Mr|Mrs|Ms|Dr|St|Inc|Ltd|Co|Corp|U\.S|approx|Approx|e\.g|i\.e|vs|Fig|Sec|Ref|Art|Ph|Tel|Attn|Lt|Col)\.)["”»)]{0,2}(?=\s+[\p{Lu}\d("“«*•([-])/u;

/** Skips form fields, remarks about the notice, ways to submit and contact persons. */
export function requirementText(description: string, title: string | undefined): string {
  const from = headingEnd(description);
  const text = description.slice(from);
  let at = 0;
  for (let passed = 0; passed < MOST_PASSED && at < text.length; passed += 1) {
    at += /^\s*/.exec(text.slice(at, at + 100))?.[0].length ?? 0;
    const unit = unitAt(text, at);
    if (unit === '') at += 1;
    else if (isPassedOver(unit.trim(), title)) at += AFTER_ALL.exec(unit)?.index || unit.length;
    else return description.slice(startOutside(personSpans(description), from + at)).trim();
  }
  return '';
}

function headingEnd(text: string): number {
  const beginning = text.slice(0, MOST_BEFORE_HEADING);
  const heading = HEADING.exec(beginning);
  if (!heading || heading.index === 0) return heading?.[0].length ?? 0;
  const before = beginning.slice(0, heading.index);
  const fields = before.match(FIELD)?.length ?? 0;
  const isForm = fields >= FIELDS_OF_A_FORM || (before.includes(':') && !/\p{Ll}{3}[.!?]\s/u.test(before));
  return isForm ? heading.index + heading[0].length : 0;
}

function unitAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  const line = text.slice(at, end < 0 ? undefined : end);
  const found = SENTENCE_END.exec(line);
  return found ? line.slice(0, found.index + found[0].length) : line;
}

function isPassedOver(unit: string, title: string | undefined): boolean {
  if (title !== undefined && letters(unit) === letters(title)) return true;
  if (!/\p{L}{2}/u.test(unit) || (/^[\p{Lu}\d/-]+$/u.test(unit) && /\d/.test(unit))) return true;
  if (unit.includes(',') && unit !== unit.toUpperCase() && isPersonName(unit)) return true;
  if (unit.length <= CONTACT_LINE && (contactSpans(unit).length > 0 || personSpans(unit).length > 0)) return true;
  return isBoilerplate(unit);
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
