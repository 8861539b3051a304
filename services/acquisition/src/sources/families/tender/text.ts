import { plainLine, plainText } from '../../../extract/formats/plain.ts';
import { EXCERPT_CODE_POINTS, safePassage } from '../../../extract/passages/passage.ts';
import { contactAndPersonSpans } from '../../../extract/passages/persons.ts';
import { requirementText } from './requirement.ts';

interface TenderText {
  readonly title: string | undefined;
  readonly buyer: readonly string[];
  readonly closing: string | undefined;
  readonly description: string | undefined;
  readonly facts: Readonly<Record<string, string | undefined>>;
}

/** Facts first, then the requirement: one passage from the beginning can support them. */
export function tenderText({ title, buyer, closing, description, facts }: TenderText): string {
  const plainTitle = plainLine(title);
  const lines = [
    plainTitle,
    labelled('Buyer', [...new Set(buyer.map(plainLine))].join(', ')),
    labelled('Closing', plainLine(closing)),
    requirementText(separated(plainText(description)), plainTitle),
    ...Object.entries(facts).map(([label, value]) => labelled(label, plainLine(value))),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function labelled(label: string, value: string): string {
  return value === '' ? '' : `${label}: ${value}`;
}

const HEAD = /^[^\n]*(?:\nBuyer: [^\n]*)?(?:\nClosing: [^\n]*)?/;

/** At most 600 code points from the title on. Undefined if nothing may be quoted. */
export function chooseTenderExcerpt(text: string): string | undefined {
  const head = HEAD.exec(text)?.[0] ?? '';
  return safePassage(text, EXCERPT_CODE_POINTS, (passage) =>
    contactAndPersonSpans(passage, passage.startsWith(head) ? head.length : 0),
  );
}

/** A sentence directly after another, as in `actions.Bidding`, but not in addresses. */
const NEXT_SENTENCE = /(?<=\p{Ll}\p{Ll}[.!?;:]|[)\]%][.;:])(?<!(?:\/|www|@)\S{1,80})(?=\p{Lu}\p{Ll})/gu;

/** A form label directly after a value: `BPM014160Department: `. */
const NEXT_LABEL =
  /(?<=\p{Ll}\p{Ll}|\p{N}\p{N}|\p{Lu}\p{Lu}|[):])(?=(?:Solicitation|Department|Delivery|Description|Closing|Close|Reference|Document|Posted|Published|Original|Current|Classification|Set[ -]Aside|Naics|NAICS|Contracting|Issuing|Place|Notice|Response|Response Date|Archive|Requirement|Requirements|Period|Location|Title|Trade|Tendering|Procurement|Security|Contact|Buyer|Attachment|Amendment|Quantity|Part|Line|Item|Statement|Scope|Objective|Background|Introduction|General|Project)(?:\s[\p{L}()]{1,20}){0,4}\s?[:#])/gu;

/** A sentence directly after capitals: `ADOAll responsible sources`, `ADOLine 0002`. */
const AFTER_CAPITALS =
  /(?<=\p{Lu}\p{Lu})(?=(?:Line \d|All responsible|All interested|This [a-z]|These [a-z]|The [a-z]|Approved source|Offers |Quotes |No |For |Please |See |Any ))/gu;

/** Words that run together because the source removed tags. */
export function separated(text: string): string {
  return text.replace(NEXT_SENTENCE, ' ').replace(NEXT_LABEL, ' ').replace(AFTER_CAPITALS, ' ');
}
