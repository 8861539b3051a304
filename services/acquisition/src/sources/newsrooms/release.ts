import type { CountryName, KindName } from '@ces/proto/catalog';
import { findDateline } from './dateline.ts';
import { readHeadline } from './headline.ts';
import { ownNames } from './owner-name.ts';
import { countryOfSite } from './site-country.ts';
import { findSupport, leadOf } from './support.ts';

/** What a release says happened, and the sentence that says it. */
export type Release =
  | {
      readonly type: 'event';
      readonly kind: KindName;
      readonly sentence: string;
      /** When it was written, by its dateline. */
      readonly writtenAt: Date | undefined;
      /** Of a site. */
      readonly country?: CountryName;
    }
  | { readonly type: 'none'; readonly reason: string };

/** Sentences from the beginning in which the place of a site may be named. */
const SITE_SENTENCES = 5;

/** Acts that happen to a person or a site are told of them first. */
const TOLD_OF_ANOTHER: ReadonlySet<KindName> = new Set(['leadership_change', 'partnership', 'facility_expansion']);

/**
 * The title decides, the text supports: a fact counts when a sentence of the text tells it too, and of the company whose
 * newsroom it is. `owner` undefined: whoever it is.
 */
export function readRelease(title: string, text: string, owner: string | undefined): Release {
  const headline = readHeadline(title);
  if (headline.type === 'none') return headline;
  const { kind, actor } = headline;
  const sentences = leadOf(text);
  if (sentences.length === 0) return { type: 'none', reason: 'has no text beside its headline' };
  if (owner !== undefined && !isOwn(title, actor, kind, sentences, owner))
    return { type: 'none', reason: 'is news of somebody else' };
  const sentence = findSupport(kind, sentences, owner);
  if (sentence === undefined) return { type: 'none', reason: 'has no sentence that tells what its headline does' };
  const { place, date: writtenAt } = findDateline(text) ?? { place: undefined, date: undefined };
  if (kind !== 'facility_expansion') return { type: 'event', kind, sentence, writtenAt };
  const country = countryOfSite([title, sentence, ...sentences.slice(0, SITE_SENTENCES)], place);
  if (country === undefined || country === 'abroad')
    return { type: 'none', reason: 'names no place in Canada or the United States for its site' };
  return { type: 'event', kind, sentence, writtenAt, country };
}

/** Whose act it is: the headline names the company before the act, or nobody; told of another, it names the company somewhere. */
function isOwn(title: string, actor: string, kind: KindName, sentences: readonly string[], owner: string): boolean {
  const names = ownNames(owner);
  const isNamedIn = (text: string) => names.some((name) => text.toLowerCase().includes(name));
  if (isNamedIn(TOLD_OF_ANOTHER.has(kind) ? title : actor)) return true;
  const lead = sentences.slice(0, 3).join(' ');
  if (actor === '' || /\b(?:we|our)\b/i.test(actor)) return isNamedIn(lead) || /\bwe\b/i.test(lead);
  return TOLD_OF_ANOTHER.has(kind) ? isNamedIn(lead) : false;
}
