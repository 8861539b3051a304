const FRENCH =
  /(?<![\p{L}’'])(?:le|la|les|des|du|une|et|pour|avec|annonce|annoncent|lance|lancent|nomme|dans|sur|aux|son|sa|ses|nouvelle|nouveau|qui|est|chez|dévoile|ouvre)(?![\p{L}])/giu;
const ENGLISH = /\b(?:the|and|of|to|for|with|in|new|its|as|by|from|announces|launches|appoints|names|opens)\b/gi;
const LEAST_FRENCH_WORDS = 2;

/** Whether a headline is English: as its feed declares, or by its own words where they are plainly French. */
export function isEnglish(title: string, declared: string | undefined): boolean {
  if (declared !== undefined && declared.trim() !== '' && !/^en\b/i.test(declared.trim())) return false;
  const french = title.match(FRENCH)?.length ?? 0;
  return french < LEAST_FRENCH_WORDS || french <= (title.match(ENGLISH)?.length ?? 0);
}
