import { sentencesOf } from '../../edgar/sentences.ts';
import type { Finding } from './finding.ts';

const SALE =
  /\b(?:sold|sells?|selling|issued? and s(?:old|ell)|issuance and sale|sale and issuance|clos(?:ed|ing of) (?:a|the|its) private placement)\b/i;
const EQUITY =
  /\b(?:shares?|units?|(?:common|preferred) stock|ordinary shares|pre-funded warrants|convertible (?:notes?|debentures?))\b/i;
const PROCEEDS =
  /\b(?:(?:gross|net|aggregate|total) proceeds|aggregate (?:purchase|offering|subscription) (?:price|amount)|total purchase price|for cash)\b/i;
const MONEY = /\$\s?\d/;
/** Shares are also given for debts, services and whole companies, and promised from time to time: no money came in. */
const NO_MONEY =
  /\b(?:upon (?:the )?(?:conversion|exercise)|conversion of|converted|exchange (?:for|of|agreement)|exchanged|in lieu of|services|consult\w+|employees?|awards?|acqui(?:re|red|sition)|merger|settle\w*|dividends?|forbearance|indebtedness|placement agent|from time to time|right to (?:sell|require)|up to|resale|registered direct|underwrit\w+)\b/i;
const ELSEWHERE = /\bItem\s*1\.01\b[\s\S]{0,200}\bincorporated\b|\bincorporated\b[\s\S]{0,200}\bItem\s*1\.01\b/i;

/** Item 3.02, which often says no more than that item 1.01 says it. */
export function findPrivateSale(text: string, agreement: string): Finding {
  const report = ELSEWHERE.test(text) ? `${text}\n${agreement}` : text;
  const sentence = sentencesOf(report).find(
    (one) =>
      SALE.test(one) &&
      EQUITY.test(one) &&
      PROCEEDS.test(one) &&
      MONEY.test(one) &&
      !NO_MONEY.test(one) &&
      !/^item\b/i.test(one),
  );
  return sentence === undefined
    ? { type: 'refused', reason: 'names no amount of money for which shares were sold' }
    : { type: 'found', kind: 'funding_round', claim: 'reported an unregistered sale of equity', sentences: [sentence] };
}
