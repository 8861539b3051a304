import { sentencesOf } from '../../edgar/sentences.ts';
import type { Finding } from './finding.ts';

const CHANGE =
  /\b(?:appoint(?:ed|s|ment of)|elect(?:ed|s)|named(?! executive)|promot(?:ed|ion of)|resign(?:ed|s|ation)?|retir(?:e|ed|es|ement|ing)|step(?:s|ped|ping)? down|depart(?:s|ed|ure of|ing)|terminated|ceased? to (?:serve|be)|succeed(?:s|ed)?|stand for re-?election|transition(?:s|ed|ing)? (?:to|from)|will (?:join|become|leave|serve as)|became|removed)\b/i;
const ROLE =
  /\b(?:officers?|directors?|presidents?|chairs?|chair(?:man|woman|person)|C[EFOT]Os?|treasurer|secretary|counsel|controller|board)\b/i;
/** What distinguishes the event of a report from the career of a person. */
const DATED =
  /\b(?:effective|immediately|on (?:January|February|March|April|May|June|July|August|September|October|November|December)|announced|notified|informed)\b/i;
/** Rules of pay speak of resignation and retirement too. */
const PAY = /\b(?:awards?|vest\w*|options?|bonus\w*|plan|salary|salaries|grants?|granted|severance|compensation)\b/i;
const HEADING = /^(?:item\b|departure of|election of|appointment of|compensatory arrangements)/i;
const PERSON =
  /(?:(?:Mr|Ms|Mrs|Dr|Messrs)\.\s+\p{Lu}[\p{L}’'-]+)|(?:\p{Lu}[\p{L}’'-]{1,60}(?:\s+(?:\p{Lu}\.|\p{Lu}[\p{L}’'-]{1,60}|de|van|von|la|del)){0,3}\s+\p{Lu}[\p{L}’'-]+)/gu;
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

/** The sentences of item 5.02 that say who comes or goes; pay and plans alone are no change of officers. */
export function findLeadershipChange(text: string, company: string): Finding {
  const own = new Set(wordsOf(company));
  const changes = sentencesOf(text).filter(
    (sentence) => !HEADING.test(sentence) && CHANGE.test(sentence) && ROLE.test(sentence),
  );
  const named = changes
    .map((sentence) => ({ sentence, persons: personsIn(sentence, own) }))
    .filter(({ persons }) => persons.length > 0);
  const [first] = named.filter(({ sentence }) => DATED.test(sentence));
  if (!first && changes.every((sentence) => PAY.test(sentence)))
    return { type: 'left_out', reason: 'tells of pay or plans, of nobody who comes or goes' };
  if (!first) return { type: 'refused', reason: 'names no officer or director with a dated change' };
  const known = new Set(first.persons);
  const next = named.filter(
    ({ sentence, persons }) =>
      sentence !== first.sentence && DATED.test(sentence) && persons.every((person) => !known.has(person)),
  );
  const sentences = [first, ...next].slice(0, MOST_SENTENCES).map(({ sentence }) => sentence);
  return { type: 'found', kind: 'leadership_change', claim: 'reported a change of officers or directors', sentences };
}

/** Family names of the persons that a sentence names. */
function personsIn(sentence: string, company: ReadonlySet<string>): string[] {
  return [...sentence.matchAll(PERSON)].flatMap(({ 0: match }) => {
    const words = wordsOf(match);
    const isPerson = words.every((word) => !NO_PERSON.has(word) && !company.has(word));
    return isPerson ? [words.at(-1) ?? ''] : [];
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}’'-]+/gu) ?? [];
}
