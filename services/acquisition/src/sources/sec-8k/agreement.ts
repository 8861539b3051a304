import { sentencesOf } from '../../edgar/sentences.ts';
import type { Finding } from './finding.ts';

const AGREED =
  /\b(?:entered into|enters into|entering into|executed|signed|formed|created|established|announced|agreed to|have agreed|expanded|amended)\b/i;
const TOGETHER =
  /\b(?:joint ventures?|joint(?:ly)? (?:develop\w*|own\w*|operat\w*|market\w*|fund\w*|commerciali[sz]\w*|promot\w*)|agreed to cooperate|ventures? (?:with|between)|new \w+(?: \w+)? company, [^.]{0,80}owned \d|(?:strategic|global|commercial|marketing|technology|development|long-term) (?:alliance|partnership|collaboration|cooperation)|alliance agreement|(?:research|development|clinical|license|licensing|option|master|strategic)?,? ?(?:and )?collaboration(?:,? (?:and )?(?:option|license|licensing|development))* agreement|collaboration with|collaborat(?:e|es|ing) with|(?:master |long-term |exclusive |commercial |clinical |product |global |manufacturing and |license and |development and )*(?:supply|offtake|off-take|co-development|co-promotion|co-marketing|co-commercialization|cooperation|teaming|distribution|commercialization|joint development|joint operating|development and (?:license|supply|commercialization)|license and (?:development|commercialization|distribution|supply)) agreement|partner(?:ed|ing|s) with|partnership with|partnership agreement with|alliance with)\b/i;
/** Money, shares and whole companies change hands in agreements that are called much the same. */
const NOT_TOGETHER =
  /\b(?:credit|loans?|indenture|notes?|lenders?|borrow\w*|guarant\w+|underwrit\w+|merger|securities purchase|stock purchase|share purchase|asset purchase|equity purchase|purchase and sale|at[- ]the[- ]market|equity distribution|sales agent|registration rights|limited partnership|limited partners?|general partner|partnership interests?|operating partnership|operating company|units|lease|employment|separation|severance|spin-off|settlement|tax receivable|terminat\w+|standstill|nomination)\b/i;

/** An alliance, supply or joint venture agreement; a credit facility, a merger or a sale of shares is none. */
export function findPartnership(text: string): Finding | undefined {
  const sentence = sentencesOf(text).find(
    (one) => AGREED.test(one) && TOGETHER.test(one) && !NOT_TOGETHER.test(one) && !/^item\b/i.test(one),
  );
  return sentence === undefined
    ? undefined
    : { type: 'found', kind: 'partnership', claim: 'reported an agreement to work together', sentences: [sentence] };
}

/** Item 1.01. */
export function findAgreement(text: string): Finding {
  return findPartnership(text) ?? { type: 'refused', reason: 'is no alliance, supply or joint venture agreement' };
}
