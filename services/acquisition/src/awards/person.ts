/** Behind a name and before it, of people alone. */
const DEGREE = /,?\s(?:M\.?D|Ph\.?D|D\.?D\.?S|D\.?M\.?D|D\.?O|D\.?V\.?M|Pharm\.?D|R\.?N|Esq)\.?$/i;
const ADDRESS = /^(?:dr|mr|mrs|ms|prof|professor)\.?\s/i;
/** Words and forms by which organisations are called; a name with one is none of a person. */
const ORGANISATION =
  /\b(?:inc|incorporated|corp|corporation|co|company|ltd|limited|lt[ée]e|llc|llp|lp|pllc|pc|plc|gmbh|ag|sa|sas|srl|bv|nv|ab|as|oy|kg|group|holdings?|industries|systems?|technolog(?:y|ies)|laborator(?:y|ies)|labs?|institute|university|college|center|centre|hospital|clinic|foundation|association|society|trust|partners(?:hip)?|medical|health|pharma(?:ceuticals?)?|bio\w*|research|solutions?|services?|products?|enterprises?|international|global|energy|farms?)\b/i;
/** `SURNAME, GIVEN M.` */
const SURNAME_FIRST = /^[\p{L}'’-]+(?: [\p{L}'’-]+)?, [\p{L}'’-]+(?: [\p{L}]\.?)?$/u;

/** Whether an applicant or recipient is named as people are. A business under the bare name of its owner is not seen. */
export function isPerson(name: string): boolean {
  const plain = name.replace(/\./g, '').trim();
  if (ORGANISATION.test(plain)) return false;
  return DEGREE.test(name.trim()) || ADDRESS.test(name.trim()) || SURNAME_FIRST.test(name.trim());
}
