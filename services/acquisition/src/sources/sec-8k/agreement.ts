import { sentencesOf } from '../../edgar/sentences.ts';
import type { Finding } from './finding.ts';

const AGREED = /\b(?:entered into|executed|signed|formed|announced|agreed to form)\b/i;
const TOGETHER =
  /\b(?:joint venture|strategic (?:alliance|partnership|collaboration|cooperation)|alliance agreement|collaboration (?:agreement|with)|collaborat(?:e|es|ing) with|(?:master |long-term |exclusive )?(?:supply|offtake|co-development|co-promotion|cooperation) agreement|partner(?:ed|ing|s|ship) (?:with|agreement)|alliance with)\b/i;
/** Money, shares and whole companies change hands in agreements that are called much the same. */
const NOT_TOGETHER =
  /\b(?:credit|loan|indenture|notes?|lenders?|borrow\w*|guarant\w+|underwrit\w+|merger|securities purchase|stock purchase|share purchase|purchase and sale|registration rights|limited partnership|partnership interests?|operating partnership|lease|employment|separation|severance|settlement|tax receivable|terminat\w+)\b/i;

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
