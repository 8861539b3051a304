const LEGAL_FORM =
  /(?:,? (?:inc|incorporated|corp|corporation|co|company|ltd|limited|llc|l\.l\.c|lp|llp|plc|ulc|holdings?|group|n\.v|s\.a|ag|gmbh)\.?){1,3}$/i;
const COMMON: ReadonlySet<string> = new Set(
  'the first new american canadian national united general global north south west east great royal best bank city home blue green red smart advanced digital'.split(
    ' ',
  ),
);
/** A first word alone is a name when it is as long. */
const NAME_CHARACTERS = 4;

/** How a company is called in its own releases, in lower case: without its legal form, and by its first word where that is no common one. */
export function ownNames(name: string): string[] {
  const plain = name
    .trim()
    .replace(/^the\s+/i, '')
    .replace(LEGAL_FORM, '')
    .replace(/[®™]/g, '')
    .trim()
    .toLowerCase();
  const [first = ''] = plain.split(/\s+/);
  const short = first.length >= NAME_CHARACTERS && !COMMON.has(first) ? [first] : [];
  return [...new Set([plain, ...short])].filter((one) => one.length > 1);
}
