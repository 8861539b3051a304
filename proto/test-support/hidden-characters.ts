const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Every control, format and default-ignorable character, without surrogates. */
export function hiddenCharacters(): string[] {
  const found: string[] = [];
  for (let code = 0; code <= 0x10_ffff; code += 1) {
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    if (!isSurrogate && HIDDEN.test(String.fromCodePoint(code))) found.push(String.fromCodePoint(code));
  }
  return found;
}

/** What must reach no answer: of these all but line end, tab, and formats that are seen. */
export const UNSEEN =
  /[^\P{Cc}\n\t]|(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
