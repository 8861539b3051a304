/**
 * Removes invisible controls, formats, tags, operators and fillers from a source's text, because
 * models read them as instructions (promise S18).
 *
 * Keeps what scripts and emoji need: joiners between joining letters, and one variation selector.
 * Line ends become `\n`. The function is idempotent.
 */
export function visibleText(text: string): string {
  return HIDDEN.test(text) ? withoutHidden(text) : text;
}

/** A cheap test, since nearly every text is free of them. */
const HIDDEN = /[^\P{Cc}\n\t]|[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u;

const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** After a virama, a joiner shapes the preceding letter, even at a word's end. */
const VIRAMA = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]/;
const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u;
const HIEROGLYPH = /\p{Script=Egyptian_Hieroglyphs}/u;

type Needed = (before: string, after: string) => boolean;

/** Formats (category Cf) that are visible, such as signs that span digits. */
const SEEN = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;

const NEEDED: readonly (readonly [RegExp, Needed])[] = [
  [
    /[\u200c\u200d]/,
    (before, after) => JOINING.test(before) && (VIRAMA.test(before) || (JOINING.test(after) && !HIDDEN.test(after))),
  ],
  [/\u200d/, (before, after) => PICTURE.test(before) && /\p{Extended_Pictographic}/u.test(after)],
  [/[\ufe0e\ufe0f]/, (before) => /\p{Extended_Pictographic}/u.test(before)],
  [/\ufe0f/, (before, after) => /[0-9#*]/.test(before) && after === '\u20e3'],
  [/\ufe00/, (before) => /[\p{Script=Myanmar}\p{Script=Phags_Pa}]/u.test(before)],
  // No ideograph has more than 32 registered variants; more selectors would allow hidden bytes.
  [/[\ufe00-\ufe02\u{e0100}-\u{e011f}]/u, (before) => /\p{Script=Han}/u.test(before)],
  [
    /[\u{13430}-\u{1343f}]/u,
    (before, after) =>
      HIEROGLYPH.test(before) && (!HIDDEN.test(before) || (HIEROGLYPH.test(after) && !HIDDEN.test(after))),
  ],
  [/[\u180b-\u180f]/, (before) => /\p{Script=Mongolian}/u.test(before) && !HIDDEN.test(before)],
  [/[\u115f\u1160]/, (before, after) => /[\u1100-\u115e\u1161-\u11ff]/.test(`${before}${after}`)],
];

function withoutHidden(text: string): string {
  const characters = [...text.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')];
  const kept: string[] = [];
  for (const [at, character] of characters.entries()) {
    if (!HIDDEN.test(character) || SEEN.test(character)) kept.push(character);
    else if (/[\v\f]/.test(character)) kept.push(' ');
    else {
      const [before, after] = [kept.at(-1) ?? '', characters[at + 1] ?? ''];
      if (NEEDED.some(([which, isNeeded]) => which.test(character) && isNeeded(before, after))) kept.push(character);
    }
  }
  return kept.join('');
}
