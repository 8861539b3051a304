import { sentencesOf } from '../families/edgar/sentences.ts';
import type { Finding } from './finding.ts';

const AGREED =
  /\b(?:entered into|enters into|entering into|executed|signed|formed|created|established|announced|agreed to|have agreed|expanded|amended)\b/i;
const TOGETHER =
  /\b(?:joint ventures?|joint(?:ly)? (?:develop\w*|own\w*|operat\w*|market\w*|fund\w*|commerciali[sz]\w*|promot\w*)|agreed to cooperate|ventures? (?:with|between)|new \w+(?: \w+)? company, [^.]{0,80}owned \d|(?:strategic|global|commercial|marketing|technology|development|long-term) (?:alliance|partnership|collaboration|cooperation)|alliance agreement|(?:research|development|clinical|license|licensing|option|master|strategic)?,? ?(?:and )?collaboration(?:,? (?:and )?(?:option|license|licensing|development))* agreement|collaboration with|collaborat(?:e|es|ing) with|(?:master |long-term |exclusive |commercial |clinical |product |global |manufacturing and |license and |development and )*(?:supply|offtake|off-take|co-development|co-promotion|co-marketing|co-commercialization|cooperation|teaming|distribution|commercialization|joint development|joint operating|development and (?:license|supply|commercialization)|license and (?:development|commercialization|distribution|supply)) agreement|partner(?:ed|ing|s) with|partnership with|partnership agreement with|alliance with)\b/i;
/** Made or changed. "Entering into" and "shall be amended" do not state this. */
const MADE =
  /\b(?:entered into|enters into|executed|signed|announced|extended|renewed|granted|expanded|formed|forming|(?<!\b(?:be|been|as) )amended)\b/i;
const NAMED =
  /\b(?:supply|off-?take|distribut(?:ion|or(?:ship)?)|(?:sub)?licen[cs](?:e|ing)|collaborati(?:on|ve)|co-?(?:development|promotion|marketing|commerciali[sz]ation)|commerciali[sz]ation|cooperati(?:on|ve)|joint venture|alliance|teaming|reseller)(?:(?:,? (?:and|&|or))?,? (?:quality|services?|supply|licen[cs](?:e|ing)|development|research|option|marketing|promotion|manufactur(?:e|ing)|distribution|processing|sales|purchase|program|project|commerciali[sz]ation|know-how|technology)){0,4},? agreements?\b/i;
const RIGHTS =
  /\b(?:exclusive (?:[\w-]+,? ){0,6}(?:distributor|rights? to (?:market|sell|distribut|commerciali|promot|develop|manufactur)\w*|licen[cs]e (?:to|under))|JV)\b/i;
/** Agreements about money, shares and whole companies have similar names. */
const NOT_TOGETHER =
  /\b(?:credit|loans?|indenture|notes?|lenders?|borrow\w*|guarant\w+|underwrit\w+|merger|securities purchase|stock purchase|share purchase|asset purchase|equity purchase|purchase and sale|at[- ]the[- ]market|equity distribution|sales agents?|as (?:an )?agents?|capital markets|securities,? (?:llc|inc)|forward (?:sale|purchaser|seller)s?|common stock|registration rights|limited partnership|limited partners?|general partner|partnership interests?|operating partnership|operating company|units|lease|employment|separation|severance|spin-off|settlement|tax receivable|trademark licen[cs]e|transition\w*|terminat\w+|standstill|nominat\w+|board of directors|business combination)\b/i;
const NOT_AGREED =
  /\b(?:non-?binding|letters? of intent|term sheet|forward[- ]looking|risks?|uncertaint(?:y|ies)|in the past|no assurance|depend(?:s|ent)? (?:up)?on|could|might)\b/i;
const HEADING = /^\W{0,3}(?:item|amended|expanded|formed|executed|signed)\b/i;
const PARTNERS = /\p{Lu}[\p{L}.&’'-]{0,40} Partners\b/gu;

export function findPartnership(text: string): Finding | undefined {
  const sentence = sentencesOf(text).find(isTogether);
  return sentence === undefined
    ? undefined
    : { type: 'found', kind: 'partnership', claim: 'reported an agreement to work together', sentences: [sentence] };
}

const BRACKETS = / ?\([^()]{0,400}\)/g;

function isTogether(sentence: string): boolean {
  const statement = sentence.replace(PARTNERS, '');
  return (
    ((AGREED.test(statement) && TOGETHER.test(statement)) ||
      (MADE.test(statement) && (NAMED.test(statement.replace(BRACKETS, '')) || RIGHTS.test(statement)))) &&
    !NOT_TOGETHER.test(statement) &&
    !NOT_AGREED.test(statement) &&
    !HEADING.test(statement)
  );
}

const OTHER_MATTER =
  /\b(?:spin-?off|spun[- ]off|separation (?:and distribution )?agreement|at[- ]the[- ]market|equity distribution)\b/i;

export function findAgreement(text: string): Finding {
  const found = OTHER_MATTER.test(text) ? undefined : findPartnership(text);
  return found ?? { type: 'refused', reason: 'is no alliance, supply, licence or joint venture agreement' };
}
