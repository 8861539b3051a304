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
