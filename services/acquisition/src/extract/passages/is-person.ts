/** Only persons have a degree after the name or a form of address before it. */
const DEGREE = /,?\s(?:M\.?D|Ph\.?D|D\.?D\.?S|D\.?M\.?D|D\.?O|D\.?V\.?M|Pharm\.?D|R\.?N|Esq)\.?$/i;
const ADDRESS = /^(?:dr|mr|mrs|ms|prof|professor)\.?\s/i;
const ORGANISATION =
  /\b(?:inc|incorporated|corp|corporation|co|company|ltd|limited|lt[ée]e|llc|llp|lp|pllc|pc|plc|gmbh|ag|sa|sas|srl|bv|nv|ab|as|oy|kg|group|holdings?|industries|systems?|technolog(?:y|ies)|laborator(?:y|ies)|labs?|institute|university|college|center|centre|hospital|clinic|foundation|association|society|trust|partners(?:hip)?|medical|health|pharma(?:ceuticals?)?|bio\w*|research|solutions?|services?|products?|enterprises?|international|global|energy|farms?)\b/i;
const SURNAME_FIRST = /^[\p{L}'’-]+(?: [\p{L}'’-]+)?, [\p{L}'’-]+(?: [\p{L}]\.?)?$/u;

/** Tests a name of an applicant. Misses a business that has only its owner's name. */
export function isPerson(name: string): boolean {
  const plain = name.replace(/\./g, '').trim();
  if (ORGANISATION.test(plain)) return false;
  return DEGREE.test(name.trim()) || ADDRESS.test(name.trim()) || SURNAME_FIRST.test(name.trim());
}
