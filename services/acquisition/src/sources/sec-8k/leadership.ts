import { sentencesOf } from '../families/edgar/sentences.ts';
import type { Finding } from './finding.ts';

const CHANGE =
  /\b(?:(?:re-?)?appoint(?:ed|s|ment of|ing)|elect(?:ed|s|ion of)|named(?! executive)|promot(?:ed|ion of)|hired|joined|designated|resign(?:ed|s|ation|ing)?|retir(?:e|ed|es|ement|ing)|step(?:s|ped|ping)? (?:down|aside)|depart(?:s|ed|ure of|ing)|leav(?:e|es|ing)|left the|termination of(?! (?:the |his |her |their |an? |that )?(?:\w{1,20} ){0,2}agreement)|terminated|(?:employment|service|tenure|role)[^.;]{0,80}\b(?:ended|ceased|will (?:end|cease|conclude)|terminated|concluded)|ceas(?:ed|es|e) (?:to|serving|being)|succeed(?:s|ed)?|stand for re-?election|seek re-?election|separat(?:ed|ion) from|transition(?:s|ed|ing)? (?:to|from|out|into|(?:his|her|their) (?:role|duties|responsibilities))|no longer (?:serves?\b|(?:holds?|held) (?:(?:the|his|her|their|any|that) )?(?:offices? of|positions?|roles?|titles?))|will (?:join|become|leave|serve as|assume|succeed|replace|depart)|became|becomes|assum(?:ed|e|es|ing)|replac(?:ed|es|ing)|removed|relinquish\w*|passed away|died|death of|relieved)\b/i;
const ROLE =
  /\b(?:officers?|directors?|presidents?|chairs?|chair(?:man|woman|person)|C[EFOT]Os?|treasurer|secretary|counsel|controller|board|manager|executive|company|corporation|employment|positions?)\b/i;
const DATED =
  /\b(?:effective|immediately|today|(?:on|as of|by|until) (?:or about )?(?:January|February|March|April|May|June|July|August|September|October|November|December)|announced|notified|informed|advised|accepted|tendered|approved|decided|decision)\b/i;
const BACKGROUND =
  /^(?:prior to|before joining|from (?:\w+ )?(?:19|20)\d\d|since (?:\w+ )?(?:19|20)\d\d|(?:he|she|(?:mr|ms|mrs|dr)\. \S+) (?:has |had )?(?:previously |also |most recently |currently )*(?:served|serves|worked|held|holds|been|joined|was (?:employed|named|appointed|promoted)|began|received|earned))\b/i;
const SUPPOSED =
  /\b(?:if|in the event|in case of|unless|would|upon (?:a|an|any|his|her|such|the) (?:\w+ ){0,3}(?:termination|resignation|retirement|death|departure)|prior to (?:his|her|any) (?:\w+ )?(?:termination|resignation)|either party|for (?:good reason|cause)|change (?:in|of) control|qualifying|eligible|entitled|vest\w*|forfeit\w*)\b/i;
/** "Informed the Company that he would resign" is no supposition. */
const TOLD_OF = /\bthat (?:he|she|they) would (?:not )?$/i;
const BEFORE_NAME = /^(?:Director|Chair(?:man|woman)?|President|Trustee)\s+(?=\S+\s+\S)/u;
/** A sentence that mentions pay before a change is about pay. */
const PAY =
  /\b(?:awards?|options?|bonus\w*|plan|salary|salaries|grants?|granted|severance|compensation|incentive|retention|retainers?|payments?|targets?|amend\w*)\b/i;
const HEADING =
  /^(?:item\b|departure of|election of|appointment of (?:certain|principal)|compensatory arrangements|resignations? of registrant)/i;
const PERSON =
  /(?:(?:Mr|Ms|Mrs|Dr|Messrs)\.\s+\p{Lu}[\p{L}’'-]+)|(?:\p{Lu}[\p{L}’'-]{1,60}(?:\s+(?:\p{Lu}\.|\p{Lu}[\p{L}’'-]{1,60}|[(“"]\p{Lu}[\p{L}’'-]{1,60}[)”"]|de|van|von|la|del)){0,4}\s+\p{Lu}[\p{L}’'-]+)/gu;
const NO_PERSON = new Set(
  `accounting act administrative agreement amended annual award bank board brand business chair chairman chief class
  commercial committee common company compensation consumer corp corporate corporation counsel current department director
  directors division employment equity exchange executive exhibit financial fiscal for form general global group head
  holdings human in inc incentive independent information interim international investment item january february march
  april may june july august september october november december legal long-term llc ltd marketing meeting medical new non-employee
  north officer officers on operating operations option part people performance plan president principal product report resources restricted
  revenue risk rule sales scientific secretary section securities senior separation services special state states stock
  strategy technology term the treasurer trust united unit units vice year york co-president co-ceos as a at effective
  accordingly following upon since prior also his her this bylaws nasdaq nominating governance audit letter offer`.split(
    /\s+/,
  ),
);
const MOST_SENTENCES = 2;

export function findLeadershipChange(text: string, company: string): Finding {
  const own = new Set(wordsOf(company));
  const paragraphs = text.split('\n').filter((line) => !HEADING.test(line) || sentencesOf(line).length > 1);
  const changes = paragraphs.flatMap((paragraph) => changesIn(paragraph, own));
  const [first] = changes;
  if (!first)
    return PAY.test(text)
      ? { type: 'left_out', reason: 'reports pay or plans, and no change of a person' }
      : { type: 'refused', reason: 'names no officer or director with a dated change' };
  const known = new Set(first.persons);
  const next = changes.filter(
    ({ sentence, persons }) => sentence !== first.sentence && persons.every((person) => !known.has(person)),
  );
  const sentences = [first, ...next].slice(0, MOST_SENTENCES).map(({ sentence }) => sentence);
  return { type: 'found', kind: 'leadership_change', claim: 'reported a change of officers or directors', sentences };
}

interface Change {
  readonly sentence: string;
  readonly persons: readonly string[];
}

/** The date of a change may be in another sentence of its paragraph. */
function changesIn(paragraph: string, company: ReadonlySet<string>): Change[] {
  const isDated = DATED.test(paragraph);
  return sentencesOf(paragraph)
    .map((sentence) => sentence.replace(/^\([a-z]\)\s{0,3}/, ''))
    .filter((sentence) => isDated && isChange(sentence))
    .map((sentence) => ({ sentence, persons: personsIn(sentence, company) }))
    .filter(({ persons }) => persons.length > 0);
}

function isChange(sentence: string): boolean {
  if (HEADING.test(sentence) || BACKGROUND.test(sentence) || !ROLE.test(sentence)) return false;
  const at = sentence.search(CHANGE);
  if (at < 0) return false;
  const before = sentence.slice(0, at).replace(TOLD_OF, '');
  return !PAY.test(before) && !SUPPOSED.test(before) && !/\b(?:agreement|letter) (?:with|between|by)\b/i.test(before);
}

function personsIn(sentence: string, company: ReadonlySet<string>): string[] {
  return [...sentence.matchAll(PERSON)].flatMap(({ 0: match }) => {
    const words = wordsOf(match.replace(BEFORE_NAME, ''));
    const isPerson = words.every((word) => word.length === 1 || (!NO_PERSON.has(word) && !company.has(word)));
    return isPerson ? [words.at(-1) ?? ''] : [];
  });
}

function wordsOf(text: string): string[] {
  const words: string[] = text.toLowerCase().match(/[\p{L}’'-]+/gu) ?? [];
  return words.map((word) => word.replace(/[’']s?$/, ''));
}
