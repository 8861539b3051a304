import { hex, type StoredRecord, sha256 } from '../db/raw-record.ts';
import { shownText } from '../ingest/read-record.ts';
import { extractorName } from '../ingest/to-record.ts';
import { Refused } from '../sources/refuse.ts';
import type { Source } from '../sources/source.ts';

/** An excerpt and the raw record it is recorded from. */
export interface Passage {
  readonly excerpt: string;
  readonly rawHash: Uint8Array;
  readonly textHash: Uint8Array;
  readonly extractor: string;
}

/**
 * What is wrong with a passage: the raw record must still have the bytes of its hash, and the text extracted from it
 * again must hold the excerpt; by the same extractor it must be the same text. Empty when it holds.
 */
export function findProblem(source: Source | undefined, raw: StoredRecord | undefined, passage: Passage): string {
  if (!raw) return 'its raw record is not kept';
  if (hex(sha256(raw.content)) !== hex(passage.rawHash)) return 'its raw record has changed';
  if (!source) return 'no connector can extract from its raw record';
  const texts = [shownText, asItWas].flatMap((extract) => extractAgain(() => extract(source, raw.content)));
  if (texts.length === 0) return 'nothing can be extracted from its raw record';
  const sameExtractor = passage.extractor === extractorName(source);
  if (sameExtractor && !texts.some((one) => hex(sha256(one)) === hex(passage.textHash)))
    return 'the text extracted from its raw record differs';
  return texts.some((one) => one.includes(passage.excerpt)) ? '' : 'the excerpt does not stand in the extracted text';
}

/** How a text was extracted before hidden characters were dropped. */
function asItWas(source: Source, content: string): string {
  return source.extract(content);
}

function extractAgain(extract: () => string): string[] {
  try {
    return [extract()];
  } catch (error) {
    if (error instanceof Refused) return [];
    throw error;
  }
}
