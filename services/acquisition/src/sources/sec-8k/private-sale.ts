import { sentencesOf } from '../families/edgar/sentences.ts';
import type { Finding } from './finding.ts';
import type { Section } from './sections.ts';

const SALE =
  /\b(?:sold|(?<!\b(?:company|corporation|registrant|buyer|we)(?: has| have)? )agreed to purchase|purchase and sale of|sells?|selling(?! (?:share|stock|security) ?holders?)|issued? and s(?:old|ell)|issu(?:ance|e) and sale|sale and issuance|for the sale of|private sale of|raised|(?:offer|issue|agreed to|will) (?:and |to )?sell|clos(?:ed|ing of) (?:on )?(?:a|the|its) (?:\w+ ){0,4}(?:private placement|sale|offering|closing|financing)|complet(?:ed|ion of) (?:a|the|its) (?:\w+ ){0,4}(?:private placement|sale|offering|closing|financing)|(?:investors?|purchasers?|buyers?|subscribers?) (?:have |has |had )?(?:agreed to purchase|purchased|are purchasing|subscribed)|subscription agreements?|(?:for|generating|received|receiving|resulting in) (?:\w+ ){0,4}(?:gross|net|total|cash) proceeds|in exchange for (?:US|Cdn|C)?\$\s?[\d.,]{0,20}\d(?: (?:million|thousand))?(?: in)? cash)\b/i;
const EQUITY =
  /\b(?:shares?|units?|(?:common|preferred) stock|ordinary shares|warrants?|private placement|convertible (?:\w+ ){0,3}(?:notes?|debentures?|bonds?)|debentures)\b/i;
const PRICE =
  /\b(?:(?:gross|net|aggregate|total|cash) (?:cash )?proceeds|(?:aggregate|total) of (?:approximately )?\$|(?:aggregate|total) (?:principal amount|purchase|offering|subscription|consideration)|subscription price|(?:purchase |offering )?price (?:per (?:\w+ ){1,4})?of|for cash|raised|per (?:share|unit)|in exchange for \$|consideration of|at \$)/i;
const OF_A_SUM =
  /\b(?:entered into|clos(?:ed|ing of)|complet(?:ed|ion of)|consummat(?:ed|ion of)|conducted) (?:on )?(?:a|an|its|the) (?:approximately )?(?:US|Cdn|C)?\$\s?[\d.,]{0,20}\d (?:(?:million|thousand) )?(?:[\w-]{1,30} ){0,3}(?:private (?:placement|offering)|offering|financing)\b/i;
/** `OF_A_SUM` requires one: the same words describe notes without equity. */
const SECURITIES = /\b(?:stock|shares?|units?|equity|warrants?|convertible)\b/i;
const MONEY = /(?:\$|US\$|Cdn\$|C\$)\s?\d/;
/** Definitions in brackets, par values, later prices and deductions. */
const IGNORED_PARTS = [
  /\([^()$]{0,400}\)/g,
  /\([^()$]{0,400}\)/g,
  /\b(?:no )?(?:par|stated|nominal) value(?: of)?(?: \$\s?[\d.,]+\d)?(?: (?:per|a|each) \w+)?/gi,
  /\b(?:exercise|conversion|strike|reference) prices? (?:per (?:\w+ ){1,4})?(?:of |equal to )?(?:approximately )?(?:US)?\$\s?[\d.,]*\d(?: per (?:\w+ ){0,2}share)?/gi,
  /\b(?:before|after|prior to|less|net of) (?:the )?(?:deduct\w+|payment of|paying|placement agent)[^.;]{0,300}/gi,
];
/** Shares given for debts, services and whole companies raise no money. */
const NO_MONEY =
  /\b(?:upon (?:the )?(?:conversion|exercise)|conversion of|converted|exchange (?:of|agreement)|exchange for (?!\$)|exchanged|in lieu of|services|consult\w+|employees?|awards?|acquisition(?! (?:corp|company|holdings|limited|co\b|i))|acquired|merger|settle\w*|dividends?|forbearance|satisfaction of|repayment of|cancellation of|placement agent|hedge|equity line|standby equity|valued at|fair value|aggregate value|(?:as|part of the) (?:partial )?(?:consideration|compensation|payment)|commitment fee|earn-?out|asset purchase|equity purchase agreement|membership interests?|repurchas\w+|extinguish\w*|owed)\b/i;
/** The filer buys, so it pays money. */
const BUYS =
  /\ball (?:of )?the (?:issued and )?outstanding\b|\b(?:company|corporation|registrant|subsidiary|we)(?: (?:also|has|have|further|itself|then)){0,3} agreed to purchase\b/i;
/** "400,000 shares of Lockworks" are of another company. */
const AGREED_TO_PURCHASE = /\bagreed to purchase\b/;
const OF_ANOTHER = /\bshares of (?!Common|Preferred|Class|Series|Ordinary|Company|Registrant)\p{Lu}/u;
const NOT_PRIVATE =
  /\b(?:from time to time|right,? but not the obligation|sole discretion|(?:has |have )?committed to purchase|commitment shares|may (?:not )?(?:\w+ ){0,2}(?:issue|sell|offer|direct)|cannot|in no event|prospectus|form (?:S|F)-\d)\b/i;
/** Count only if the sentence also matches `PRIVATE`. */
const PROMISED =
  /\b(?:right to (?:sell|require)|up to|resale|registered direct|underwrit\w+|public offering|registration statement)\b/i;
const PRIVATE =
  /\b(?:private (?:placement|sale|offering)|privately|initial purchasers?|accredited investors?|without registration|not (?:been )?registered|unregistered|rule 144A|regulation [DS]|section 4\(a?\)?\(?2\)|exempt\w*)/i;
const REFERENCE = /\bItems?\s*(\d\.\d{2})/gi;

/** Item 3.02 often refers to another item, whose sentences count too. */
export function findPrivateSale(text: string, sections: readonly Section[]): Finding {
  const sentence = [...sentencesOf(text), ...referredTo(text, sections)].find(isPrivateSale);
  return sentence === undefined
    ? { type: 'refused', reason: 'names no amount of money for which shares were sold' }
    : { type: 'found', kind: 'funding_round', claim: 'reported an unregistered sale of equity', sentences: [sentence] };
}

function isPrivateSale(sentence: string): boolean {
  if (/^item\b/i.test(sentence)) return false;
  const statement = IGNORED_PARTS.reduce((rest, part) => rest.replace(part, ''), sentence);
  return (
    (isSoldForSum(statement) || (SALE.test(statement) && EQUITY.test(statement) && PRICE.test(statement))) &&
    MONEY.test(statement) &&
    !NO_MONEY.test(statement) &&
    !BUYS.test(statement) &&
    !buysOfAnother(statement) &&
    !NOT_PRIVATE.test(statement) &&
    (!PROMISED.test(statement) || PRIVATE.test(statement))
  );
}

function buysOfAnother(statement: string): boolean {
  const agreed = AGREED_TO_PURCHASE.exec(statement);
  return agreed !== null && OF_ANOTHER.test(statement.slice(agreed.index));
}

function isSoldForSum(statement: string): boolean {
  return OF_A_SUM.test(statement) && SECURITIES.test(statement);
}

function referredTo(text: string, sections: readonly Section[]): string[] {
  if (!/\bincorporated\b|\brefer\b|\bset forth\b|\bdescribed\b/i.test(text)) return [];
  const items = new Set([...text.matchAll(REFERENCE)].map(([, item]) => item));
  return sections.filter(({ item }) => item !== '3.02' && items.has(item)).flatMap((one) => sentencesOf(one.text));
}
