import { sentencesOf } from '../../edgar/sentences.ts';
import type { Finding } from './finding.ts';
import type { Section } from './sections.ts';

const SALE =
  /\b(?:sold|(?<!\b(?:company|corporation|registrant|buyer|we)(?: has| have)? )agreed to purchase|purchase and sale of|sells?|selling|issued? and s(?:old|ell)|issu(?:ance|e) and sale|sale and issuance|(?:offer|issue|agreed to|will) (?:and |to )?sell|clos(?:ed|ing of) (?:a|the|its) (?:\w+ ){0,4}(?:private placement|sale|offering)|complet(?:ed|ion of) (?:a|the|its) (?:\w+ ){0,4}(?:private placement|sale|offering))\b/i;
const EQUITY =
  /\b(?:shares?|units?|(?:common|preferred) stock|ordinary shares|pre-funded warrants|convertible (?:\w+ ){0,3}(?:notes?|debentures?|bonds?)|debentures)\b/i;
/** A sum that is paid, or the price of one share. */
const PRICE =
  /\b(?:(?:gross|net|aggregate|total) (?:cash )?proceeds|(?:aggregate|total) (?:principal amount|purchase|offering|subscription|consideration)|(?:purchase |offering )?price (?:per \w+ )?of|for cash|per (?:share|unit)|in exchange for \$|consideration of|at \$)/i;
const MONEY = /(?:\$|US\$|Cdn\$|C\$)\s?\d/;
/** Shares are also given for debts, services and whole companies: no money came in. */
const NO_MONEY =
  /\b(?:upon (?:the )?(?:conversion|exercise)|conversion of|converted|exchange (?:of|agreement)|exchange for (?!\$)|exchanged|in lieu of|services|consult\w+|employees?|awards?|acquisition|acquired|merger|settle\w*|dividends?|forbearance|satisfaction of|repayment of|cancellation of|placement agent|hedge|equity line|standby equity)\b/i;
/** The filer, or one of its own, buys: its money went out. */
const BUYS =
  /\ball (?:of )?the (?:issued and )?outstanding\b|\b(?:company|corporation|registrant|subsidiary|we)(?: (?:also|has|have|further|itself|then)){0,3} agreed to purchase\b/i;
/** "400,000 shares of Lockworks": of another company than the filer, whose shares are its common stock. */
const OF_ANOTHER =
  /\bagreed to purchase\b.*\bshares of (?!Common|Preferred|Class|Series|Ordinary|Company|Registrant)\p{Lu}/u;
/** Promised, or sold to the public: no private sale, unless the sentence says that it is one. */
const PROMISED =
  /\b(?:from time to time|right to (?:sell|require)|up to|resale|registered direct|underwrit\w+|registration statement)\b/i;
const PRIVATE =
  /\b(?:private placement|initial purchasers?|accredited investors?|without registration|not (?:been )?registered|unregistered|rule 144A|regulation [DS]|section 4\(a?\)?\(?2\)|exempt\w*)/i;
const REFERENCE = /\bItems?\s*(\d\.\d{2})/gi;

/** Item 3.02, which often says no more than that another item says it. */
export function findPrivateSale(text: string, sections: readonly Section[]): Finding {
  const sentence = [...sentencesOf(text), ...referredTo(text, sections)].find(
    (one) => isSale(one) && (!PROMISED.test(one) || PRIVATE.test(one)),
  );
  return sentence === undefined
    ? { type: 'refused', reason: 'names no amount of money for which shares were sold' }
    : { type: 'found', kind: 'funding_round', claim: 'reported an unregistered sale of equity', sentences: [sentence] };
}

function isSale(sentence: string): boolean {
  return (
    !/^item\b/i.test(sentence) &&
    SALE.test(sentence) &&
    EQUITY.test(sentence) &&
    PRICE.test(sentence) &&
    MONEY.test(sentence) &&
    !NO_MONEY.test(sentence) &&
    !BUYS.test(sentence) &&
    !OF_ANOTHER.test(sentence)
  );
}

/** The sentences of the items that the text takes in by reference. */
function referredTo(text: string, sections: readonly Section[]): string[] {
  if (!/\bincorporated\b|\brefer\b|\bset forth\b|\bdescribed\b/i.test(text)) return [];
  const items = new Set([...text.matchAll(REFERENCE)].map(([, item]) => item));
  return sections.filter(({ item }) => item !== '3.02' && items.has(item)).flatMap((one) => sentencesOf(one.text));
}
