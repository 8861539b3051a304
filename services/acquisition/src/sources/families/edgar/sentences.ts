const ABBREVIATION_CHARACTERS = 16;
const ABBREVIATED =
  /(?:\b(?:Mr|Ms|Mrs|Dr|Messrs|Mses|Prof|Inc|Corp|Co|Ltd|LLC|L\.P|Jr|Sr|No|Nos|St|Mt|vs|etc|approx|U\.S|U\.K|N\.A|D\.C|p\.m|a\.m|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.|(?:^|[\s(])\p{Lu}\.)["”’)]*$/u;

export function sentencesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const sentences: string[] = [];
    let start = 0;
    for (const { index, 0: gap } of line.matchAll(/(?<=[.!?]["”’)]{0,2}\d?)\s+(?=[\p{Lu}"“(])/gu)) {
      if (ABBREVIATED.test(line.slice(Math.max(start, index - ABBREVIATION_CHARACTERS), index))) continue;
      sentences.push(line.slice(start, index));
      start = index + gap.length;
    }
    return [...sentences, line.slice(start)].map((sentence) => sentence.trim()).filter(Boolean);
  });
}
