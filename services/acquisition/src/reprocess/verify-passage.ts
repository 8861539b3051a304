import { Refused } from '../connector/refuse.ts';
import type { Source } from '../connector/source.ts';
import { hex, type StoredRecord, sha256 } from '../db/raw-record.ts';
import { shownText } from '../ingest/read-record.ts';
import { extractorName } from '../ingest/to-record.ts';

export interface Passage {
  readonly excerpt: string;
  readonly rawHash: Uint8Array;
  readonly textHash: Uint8Array;
  readonly extractor: string;
}

/** Empty if the passage holds: the raw record matches its hash and its text has the excerpt. */
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

/** Extracts the text as before hidden characters were removed. */
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
