import { type FoldedPiece, type FoldedText, refolded } from './folded-text.ts';

const MARKUP = /<(?:\/?[a-z][a-z\d:-]{0,30}(?![a-z\d:-])[^<>]*|![^<>]*)>/gi;
const APART =
  /^<\/?(?:address|article|aside|blockquote|br|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|title|tr|ul)(?![a-z\d:-])/i;

/**
 * The adjacent characters as HTML renders them: inline tags and comments vanish, other tags become
 * line ends, source line ends become spaces. Undefined for a text without markup.
 */
export function shownText(text: string): FoldedText | undefined {
  const pieces: FoldedPiece[] = [];
  let from = 0;
  for (const { index, 0: tag } of text.matchAll(MARKUP)) {
    addCharacters(pieces, text.slice(from, index));
    pieces.push({ folded: APART.test(tag) ? '\n' : '', length: tag.length });
    from = index + tag.length;
  }
  if (from === 0) return undefined;
  addCharacters(pieces, text.slice(from));
  return refolded(text, pieces);
}

function addCharacters(pieces: FoldedPiece[], text: string): void {
  for (const character of text)
    pieces.push({ folded: /\s/.test(character) ? ' ' : character, length: character.length });
}
