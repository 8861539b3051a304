import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { optionalInstantText } from '@ces/search/index/instants';
import { type Partitioning, partitionOf } from '@ces/search/index/postgres/partitions';
import { analyseObservation, analyseProfile } from '@ces/search/text/analyse';
import { lexemesOfText } from '@ces/search/text/stem';
import { wordsOf } from '@ces/search/text/words';

/** Columns of each table, in the order of the values that a RowMaker writes. */
export const COLUMNS = {
  indexed:
    'observation_id, bucket, version, generation, tombstone, company_id, kind, country, occurred_at, observed_at, recorded_at, deliverable_until',
  entry:
    'observation_id, bucket, company_id, kind, country, occurred_at, observed_at, deliverable_until, length, text, words, facts',
  company_doc: 'company_id, version, tombstone, generation, survivor_id, country, length, text, words, name_words',
} as const;

interface ObservationLines {
  readonly partition: string;
  readonly indexed: string;
  readonly entry: string;
}

export interface RowMaker {
  observation(document: ObservationDocument): ObservationLines;
  /** Omits domains, because generated companies have none. */
  company(document: CompanyDocument): string;
}

const NULL = '\\N';

export function createRowMaker(
  generation: number,
  partitioning: Partitioning,
  placeCodes: ReadonlyMap<string, string>,
): RowMaker {
  const tsvectorOf = createVectorWriter();
  return {
    observation(document) {
      const { id, version, companyId, kind, country } = document;
      const partition = partitionOf(kind, document.occurredAt && timestampDate(document.occurredAt), partitioning);
      const { searchable, words, length, facts } = analyseObservation(document, placeCodes);
      const occurred = optionalInstantText(document.occurredAt) ?? NULL;
      const observed = optionalInstantText(document.observedAt) ?? '-infinity';
      const recorded = optionalInstantText(document.recordedAt) ?? '-infinity';
      const until = optionalInstantText(document.deliverableUntil) ?? 'infinity';
      const codes = facts.length > 0 ? `{${facts.join(',')}}` : NULL;
      const of = `${companyId}\t${kind}\t${country}\t${occurred}\t${observed}`;
      return {
        partition,
        indexed: `${id}\t${partition}\t${version}\t${generation}\tf\t${of}\t${recorded}\t${until}\n`,
        entry: `${id}\t${partition}\t${of}\t${until}\t${length}\t${tsvectorOf(searchable)}\t${words}\t${codes}\n`,
      };
    },
    company(document) {
      const { id, version, survivorId, country, name } = document;
      const { searchable, words, length } = analyseProfile(document, placeCodes);
      const nameWords = wordsOf(name).join(' ');
      return `${id}\t${version}\tf\t${generation}\t${survivorId || id}\t${country}\t${length}\t${tsvectorOf(searchable)}\t${words}\t${nameWords}\n`;
    },
  };
}

/**
 * Writes what the server parses as the `tsvector` of `to_tsvector('english', …)` for
 * space-separated words, at most 255. The server sorts and joins the lexemes. They consist of
 * letters and digits, so they need no escaping. Caches lexemes, because generated texts repeat
 * words.
 */
function createVectorWriter(): (searchable: string) => string {
  const known = new Map<string, readonly (string | undefined)[]>();
  const remember = (word: string) => {
    const lexemes = lexemesOfText([word]).map((lexeme) => lexeme && `'${lexeme}':`);
    known.set(word, lexemes);
    return lexemes;
  };
  return (searchable) => {
    let text = '';
    let position = 0;
    for (const word of searchable === '' ? [] : searchable.split(' '))
      for (const lexeme of known.get(word) ?? remember(word)) {
        position += 1;
        if (lexeme !== undefined) text += `${lexeme}${position} `;
      }
    return text;
  };
}
