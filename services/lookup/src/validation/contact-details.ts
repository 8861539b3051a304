const EMAIL_ADDRESS = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u;
/** North American numbers as people write them; the two separators agree, or clause numbers would look the same. */
const TELEPHONE_NUMBER =
  /(?<![\w.-])(?:\+?1[-. ])?(?:\(\d{3}\) ?\d{3}[-. ]|\d{3}-\d{3}-|\d{3}\.\d{3}\.|\d{3} \d{3} )\d{4}(?![\w-])/;

/** What a text carries that the record must not keep (decisions.md, Evidence); undefined when it carries nothing of the kind. */
export function findContactDetail(text: string): 'an e-mail address' | 'a telephone number' | undefined {
  if (text.includes('@') && EMAIL_ADDRESS.test(text)) return 'an e-mail address';
  return TELEPHONE_NUMBER.test(text) ? 'a telephone number' : undefined;
}
