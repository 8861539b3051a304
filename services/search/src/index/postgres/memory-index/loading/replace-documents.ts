import { setImmediate as turn } from 'node:timers/promises';
import type { CompanyTable } from '../documents/company-table.ts';
import type { ObservationTable } from '../documents/observation-table.ts';
import type { InvertedIndex } from '../inverted-index/inverted-index.ts';
import type { Lexicon } from '../inverted-index/lexicon.ts';
import { SEGMENT_DOCUMENTS, type Segment, SegmentBuilder } from '../inverted-index/segment.ts';
import type { LoadedDocuments } from '../memory-index.ts';
import type { ReadCompany, ReadObservation } from './read-documents.ts';

const AT_ONCE = 100;

export function bytesOf(documents: LoadedDocuments): number {
  const { companyNumbers, observations, observationTexts, companies, companyTexts, vectors } = documents;
  const texts = observationTexts.lexicon.bytes + observationTexts.bytes + companyTexts.bytes;
  return companyNumbers.bytes + observations.bytes + companies.bytes + texts + (vectors?.bytes ?? 0);
}

/** Builds segments in small steps for documents that a table will number from `first`. */
export class PendingSegments<D extends ReadCompany | ReadObservation> {
  readonly documents: D[] = [];
  readonly #segments: Segment[] = [];
  readonly #first: number;
  readonly #lexicon: Lexicon;
  #builder: SegmentBuilder;

  constructor(first: number, { lexicon }: InvertedIndex) {
    this.#first = first;
    this.#lexicon = lexicon;
    this.#builder = new SegmentBuilder(lexicon);
  }

  async add(page: readonly D[]): Promise<void> {
    for (const document of page) {
      this.#builder.add(this.#first + this.documents.length, document.text, document);
      this.documents.push(document);
      if (this.#builder.size >= SEGMENT_DOCUMENTS) this.#end();
      if (this.documents.length % AT_ONCE === 0) await turn();
    }
  }

  finish(): readonly Segment[] {
    if (this.#builder.size > 0) this.#end();
    return this.#segments;
  }

  #end(): void {
    this.#segments.push(this.#builder.build());
    this.#builder = new SegmentBuilder(this.#lexicon);
  }
}

/** Synchronous, so that no search sees a partial state. */
export function replaceDocuments<D extends ReadObservation | ReadCompany>(
  table: Pick<ObservationTable | CompanyTable, 'remove' | 'size'> & { add(document: NoInfer<D>): number },
  texts: InvertedIndex,
  changed: readonly string[],
  pending: PendingSegments<D>,
): void {
  const segments = pending.finish();
  for (const id of changed) table.remove(Number(id));
  for (const document of pending.documents) table.add(document);
  for (const segment of segments) texts.append(segment);
}
