import { contactSpans, mergedSpans, type Span } from '@ces/proto/contact-details';
import { foldText } from '@ces/proto/folded-text';
import { countryNamed, countryOfRegion } from '../places/places.ts';

const MOST_NAME_WORDS = 4;
/** From the start of a name to the role after it, in UTF-16 units. */
const MOST_NAME_LENGTH = 80;

/** Phrases that introduce a contact person. The text after one is tested as a name. */
const TURN_TO =
  /(?<!\p{L})(?:contact names?\s?|contact|contacting|contacter|contactez|communiqu(?:er|ez) avec|(?:please|kindly) (?:e-?mail|call|phone|write to|write|reach out to|ask for)|reach out to|ask for|rsvp to|register with|resumes? to|bids? to|quotes? to|proposals? to|(?:led|written|posted) by|points? of contact|poc|attn\.?|attention of|attention de|submitted to|sent to|directed to|addressed to|adressées? à|envoyées? à)\s(?:is\s|person\s|est\s|either\s|m\.\s)?/giu;
/** With lower-case words before the name. `M.` matches too, but not the end of `p.m.`. */
const TURN_TO_THE =
  /(?<=(?:^|[\n:;,(])\s?)M\.\s(?=\p{Lu})|(?<!\p{L})[Cc]ontact(?:ing)?\s(?:the|our|your|le|la)\s\p{Ll}[\p{Ll}'’-]{0,20}(?:\s\p{Ll}[\p{Ll}'’-]{0,20}){0,2},?\s(?=\p{Lu})/gu;
const BEING =
  /(?<!\p{L})(?:(?:(?:contract(?:s|ing)?|procurement|purchasing|acquisition|supply|project|technical) (?:officer|specialist|authority|agent|administrator|manager|lead)|buyer|recruiter|hiring manager|undersigned)(?:,\s|\s(?:is|est)\s)|(?:(?:co-)?principal investigator|co-pi|pi|recruiter|hiring manager|procurement lead)\s(?=\p{L}))/giu;
const SIGNED = /(?<!\p{L})(?:sincerely|regards|respectfully|cordialement|signed|signé)\s?[,:]\s{1,3}/giu;
const TOLD =
  /(?<!\p{L})(?:points? of contact|contact person|(?:contracting|procurement|project|technical) (?:authority|officer|specialist)|personne[ -]ressource|autorité contractante)(?:\s\p{L}{1,15}){0,5}\s(?:is|are|will be|est|sera)\s?:?\s/giu;
const LABELLED =
  /(?<!\p{L})(?:contact|contacts|person|personne|personne[ -]ressource|poc|points? of contact|attention|attn|attn to|name|names|nom|information|officer|specialist|authority|administrator|negotiator|agent|buyer|acheteur|acheteuse|contractante|d['’]approvisionnement|questions?|queries|inquir(?:y|ies)|enquir(?:y|ies)|renseignements|attention (?:of|de)|(?:co-)?pi|ko|cor|cotr|(?:prepared|approved|written|posted|submitted) by|(?:talent acquisition|hr|human resources) (?:partner|contact|lead))(?:\(s\)|\s\((?:poc|co|cor|ko|pi)\))?\s?(?:[:=–]|-(?=\s))\s{0,3}/giu;
/** Labels only before a colon: before a dash they are titles of positions. */
const LABELLED_ROLE =
  /(?<!\p{L})(?:(?:manager|recruiter|recruteu(?:r|se)|coordinator|coordonnat(?:eur|rice)|representative|représentante?|analyst|director|direct(?:eur|rice)|supervisor|superviseure?|investigator|responsable|gestionnaire|conseill(?:er|ère))(?=\s?:)|chercheu(?:r|se) principale?|responsable (?:du|de la|des) \p{L}{1,20}|agente?s? (?:de|des) (?:négociation|contrats?|achats?)|chargée? (?:de projet|du dossier)|gestionnaire (?:de|des|du) (?:projets?|contrats?|dossier)|autorité (?:technique|de projet)|spécialiste des contrats)\s?(?:[:–]|-(?=\s))\s{0,3}/giu;

const ROLE =
  /(?<!\p{L})(?:contract(?:s|ing)?|procurement|purchasing|acquisition|supply|negotiation|project|technical|leasing|realty)\s(?:officer|specialist|authority|agent|administrator|negotiator|manager|analyst|representative|assistant)|(?<!\p{L})(?:(?:senior|junior|lead) buyer|buyer(?=\s{0,3}(?:[.,;)\n]|$))|(?:hr|hiring|human resources) manager)(?!\p{L})|(?<!\p{L})(?:agente?s? (?:d['’]approvisionnement|des? (?:achats?|contrats?|négociation))|autorité (?:contractante|technique)|acheteu(?:r|se)|chargée? de projet|gestionnaire de projet|spécialiste (?:de l['’]approvisionnement|des contrats))(?!\p{L})/giu;

const ADDRESSED =
  /(?<!\p{L})(?:Mr|Mrs|Ms|Mme|Mlle|Madame|Monsieur|Messrs|Prof|Professor|Dr|Capt|Lt|Maj|Sgt|MSgt|TSgt|SSgt)\.?\s(?=\p{Lu})/gu;

const NAME_WORD = /(?:(?:van|von|der|den|del|di|da|dos|ten|ter)\s){0,2}(?:[dl]['’])?\p{Lu}[\p{L}'’.-]{0,30}/uy;
const PARTICLE = /^(?:van|von|der|den|del|di|da|dos|ten|ter)$/;
/** Count as a name only after a label. */
const INITIALS = /^(?:\p{Lu}\.\s?){1,2}\p{Lu}\p{Ll}[\p{L}'’-]{1,30}/u;
const BETWEEN_WORDS = /,? /y;
const BEFORE_ROLE = /[\s,;:–(-]{1,3}$/;

const NO_NAME: ReadonlySet<string> = new Set(
  (
    'accounts acquisition administration advertising affairs agency agreement air all amendment an and annex any apr area army as at attachment aug authority ' +
    'base bid bidder bidders bidding bids board branch bsm building bureau business buyandsell call canada canadabuys canadian center centre chief city civil client closing code ' +
    'combined commercial command commission committee communications company construction contact contract contracting contractor contractors contracts control corporation corps council county court customer ' +
    'date dec december defence defense delivery department des desk development direct direction director district division dla document documents dod du e-mail each electronic email energy engineer engineering engineers ' +
    'environment equipment esq facility fax feb february federal fedbid fisheries for force fort friday from general générale gouvernement government group gsa head health help helpdesk hq if in inc industry information infrastructure ' +
    'institute interested investigator item items jan january jul july jun la laboratory le letter level library limited list llc logistics ltd management manager mar march marine maritime marketing merx military ministry monday ' +
    'museum nasa national naval navsup navy no notice nov november number oct october of offer offers office officer only operations or order parks part phone place please ' +
    'police port presolicitation president pricing principal procurement product products program project proposal proposals property public purchase purchasing quality quote quotes re ' +
    'reference regional requests request requirement requirements research response responses river road room royal safety sales saturday school science section security see senior sep september service services set shared ship ' +
    'site small software solicitation solutions source space special station state states subject suite sunday supplies supply support system systems tbd team technical technology telephone tender the this ' +
    'thursday title to training transport transportation travel treasury tuesday unit united university us usa use va vendor veterans via vice water web website wednesday work works you your'
  ).split(' '),
);

/**
 * Finds names after `Contact:`, before `Contract Specialist`, after a form of address, or on a line
 * as `Surname, Given`. Spans are in order, without overlaps.
 */
export function personSpans(given: string): Span[] {
  const { text, spanOf } = foldText(given);
  const behind = [TURN_TO, TURN_TO_THE, BEING, SIGNED, TOLD, LABELLED, LABELLED_ROLE]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .flatMap((cue) => {
      const name = personNameAt(text, cue.index + cue[0].length);
      return name ? [{ start: cue.index, end: cue.index + cue[0].length + name.length }] : [];
    });
  const addressed = [...text.matchAll(ADDRESSED)].map(({ index, 0: form }) => {
    const end = index + form.length;
    return { start: index, end: end + wordsAt(text, end).length };
  });
  const before = [...text.matchAll(ROLE)].flatMap(({ index }) => nameBefore(text, index));
  return mergedSpans([...behind, ...addressed, ...before, ...listed(text)]).map(({ start, end }) => spanOf(start, end));
}

/** Contacts of a passage, and contact persons from `from` on; in order, without overlaps. */
export function contactAndPersonSpans(passage: string, from: number): Span[] {
  const persons = personSpans(passage.slice(from)).map(({ start, end }) => ({ start: start + from, end: end + from }));
  return mergedSpans([...contactSpans(passage), ...persons]);
}

/** Two to four capitalised words, none from names of offices, things or places. */
export function isPersonName(text: string): boolean {
  const words = text
    .split(/[\s,]+/)
    .filter((word) => word !== '' && !PARTICLE.test(word))
    .map((word) => word.replace(/^[dl]['’](?=\p{Lu})/u, ''));
  const full = words.filter((word) => word.replace(/[.]/g, '').length > 1);
  if (words.length < 2 || words.length > MOST_NAME_WORDS || full.length < 2) return false;
  const place = text.split(',').at(-1);
  const isPlace = (countryOfRegion(place) ?? countryNamed(place)) !== undefined;
  return !isPlace && words.every((word) => /^\p{Lu}[\p{L}'’.-]*$/u.test(word) && !isNoName(word));
}

function isNoName(word: string): boolean {
  return word.length > 1 && NO_NAME.has(word.replace(/[.’']s?$/u, '').toLowerCase());
}

function personNameAt(text: string, at: number): string | undefined {
  const words = wordsAt(text, at);
  for (let name = words; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf(' '))))
    if (isPersonName(trimmed(name))) return trimmed(name);
  const short = INITIALS.exec(words)?.[0];
  return short !== undefined && !isNoName(short.replace(/^.*[.\s]/, '')) ? short : undefined;
}

function wordsAt(text: string, at: number): string {
  let end = at;
  for (let count = 0, from = at; count < MOST_NAME_WORDS; count += 1) {
    NAME_WORD.lastIndex = from;
    if (!NAME_WORD.test(text)) break;
    end = NAME_WORD.lastIndex;
    BETWEEN_WORDS.lastIndex = end;
    if (!BETWEEN_WORDS.test(text)) break;
    from = BETWEEN_WORDS.lastIndex;
  }
  return text.slice(at, end);
}

function nameBefore(text: string, role: number): Span[] {
  const start = Math.max(0, role - MOST_NAME_LENGTH);
  const before = text.slice(start, role);
  const name = before.replace(BEFORE_ROLE, '');
  if (name === before) return [];
  for (let from = 0; from >= 0 && from < name.length; from = nextWord(name, from))
    if (isPersonName(name.slice(from))) return [{ start: start + from, end: role }];
  return [];
}

function nextWord(text: string, from: number): number {
  const blank = text.slice(from).search(/\s/);
  return blank < 0 ? -1 : from + blank + 1;
}

const LINES_BEHIND = 2;

/** Surname first. In capitals it may be a thing (`VALVE, BALL`) unless a contact follows. */
function listed(text: string): Span[] {
  const spans: Span[] = [];
  const lines = text.split('\n');
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const isListed = /^\s*\p{Lu}[\p{L}'’-]{1,30}, \p{Lu}/u.test(line) && isPersonName(line.trim());
    const behind = lines
      .slice(index + 1, index + 1 + LINES_BEHIND)
      .join('\n')
      .slice(0, 200);
    if (isListed && (line !== line.toUpperCase() || contactSpans(behind).length > 0))
      spans.push({ start, end: start + line.length });
    start += line.length + 1;
  }
  return spans;
}

function trimmed(name: string): string {
  return name.replace(/[.,]$/, '');
}
