import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { optionalInstantText } from '@ces/search/index/instants';
import { type Partitioning, partitionOf } from '@ces/search/index/postgres/partitions';
import { analyseObservation, analyseProfile } from '@ces/search/text/analyse';
import { lexemesOfText } from '@ces/search/text/stem';
import { wordsOf } from '@ces/search/text/words';

/** The columns of each table, in the order of its rows here. */
export const COLUMNS = {
  indexed:
    'observation_id, bucket, version, generation, tombstone, company_id, kind, country, occurred_at, observed_at, recorded_at, deliverable_until',
  entry:
    'observation_id, bucket, company_id, kind, country, occurred_at, observed_at, deliverable_until, length, text, words, facts',
  company_doc: 'company_id, version, tombstone, generation, survivor_id, country, length, text, words, name_words',
} as const;

/** A document as lines for `copy … from stdin`. */
interface ObservationLines {
  readonly partition: string;
  readonly indexed: string;
  readonly entry: string;
}

/** Makes the rows that the index writes for documents that are there and are the first of their ids. */
export interface RowMaker {
  observation(document: ObservationDocument): ObservationLines;
  /** Without its domains: those of a made-up record have none. */
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

/** Where a lexeme stands in the text that is at hand. */
interface Occurrences {
  readonly lexeme: string;
  /** Number of the text that `positions` are of. */
  text: number;
  positions: string;
}

/**
 * What `to_tsvector('english', …)` makes of words with a space between, of 255 at most. They are letters and digits, so that none needs
 * escaping; texts of a made-up record repeat them, so that their lexemes are remembered.
 */
function createVectorWriter(): (searchable: string) => string {
  const byLexeme = new Map<string, Occurrences>();
  const byWord = new Map<string, readonly (Occurrences | undefined)[]>();
  const remember = (word: string) => {
    const found = lexemesOfText([word]).map((lexeme) => {
      if (lexeme === undefined) return undefined;
      const one = byLexeme.get(lexeme) ?? { lexeme, text: 0, positions: '' };
      byLexeme.set(lexeme, one);
      return one;
    });
    byWord.set(word, found);
    return found;
  };
  let number = 0;
  return (searchable) => {
    number += 1;
    const present: Occurrences[] = [];
    let position = 0;
    for (const word of searchable === '' ? [] : searchable.split(' '))
      for (const one of byWord.get(word) ?? remember(word)) {
        position += 1;
        if (one?.text === number) one.positions += `,${position}`;
        else if (one) {
          one.text = number;
          one.positions = String(position);
          present.push(one);
        }
      }
    return present.map(({ lexeme, positions }) => `'${lexeme}':${positions}`).join(' ');
  };
}
