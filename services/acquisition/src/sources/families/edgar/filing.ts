import type { LeftOut } from '../../../connector/mapped.ts';
import { refused } from '../../../connector/refuse.ts';
import type { Document, Parsed, RawRecord } from '../../../connector/source.ts';
import { readHead } from '../../../extract/formats/head.ts';
import { jsonContent, type Members, readMembers } from '../../../extract/formats/members.ts';
import { readText } from '../../../extract/formats/text.ts';
import { firstWebAddress } from '../../../extract/values/web-address.ts';
import { ENTRY, parseAtom, parseList } from './feed.ts';
import { type FilingHeader, FORM, headerFields, keptHeader, readHeader } from './header.ts';
import { type FiledDocument, filedDocuments, filingPage } from './submission.ts';
import { HOMEPAGE } from './terms.ts';

export interface FilingReader {
  readonly forms: ReadonlySet<string>;
  readonly fields: readonly string[];
  readonly documents: RegExp;
  readonly keep: (document: FiledDocument) => string;
  readonly keyOf: (header: FilingHeader, accession: string) => string;
  readonly fieldsOf?: (documents: readonly FiledDocument[]) => readonly string[];
  /** Reads a document of the form outside its submission. */
  readonly readForm?: (text: string, document: Document) => Parsed | undefined;
}

const HEAD_CHARACTERS = 8 * 1024;
const MAX_SUBMISSION_BYTES = 32 * 1024 * 1024;
const SUBMISSION = /<SEC-HEADER>|<SUBMISSION>/;

/** A page of the feed, a list of its entries, or a full submission, by its beginning. */
export async function* parseEdgar(given: Document, reader: FilingReader): AsyncGenerator<Parsed> {
  const { head, document } = await readHead(given, (text) => SUBMISSION.test(text), HEAD_CHARACTERS);
  if (head.startsWith('[')) yield* parseList(document, reader);
  else if (/<feed[\s>]/.test(head)) yield* parseAtom(document, reader);
  else {
    const text = (await readText(document, { maxBytes: MAX_SUBMISSION_BYTES })).replace(/\r\n?/g, '\n');
    yield SUBMISSION.test(head)
      ? readSubmission(text, document, reader)
      : (reader.readForm?.(text, document) ??
        refused(document.uri, 'document', 'is neither a feed of filings nor a full submission'));
  }
}

function readSubmission(text: string, document: Document, reader: FilingReader): Parsed {
  const header = keptHeader(text);
  const read = readHeader(header);
  const { accession, cik, form } = read;
  if (form !== undefined && !reader.forms.has(form)) return refused(document.uri, FORM, 'is none that is read here');
  const documents = filedDocuments(text, reader.documents).map((one) => ({ ...one, text: reader.keep(one) }));
  const page = accession && cik && /^\d+$/.test(cik) ? filingPage(cik, accession) : undefined;
  const record: RawRecord = {
    key: accession ? reader.keyOf(read, accession).slice(0, 400) : document.uri.slice(0, 400),
    uri: firstWebAddress([page, document.uri], HOMEPAGE),
    content: jsonContent({ header, documents }),
    fields: [...headerFields(read), ...(reader.fieldsOf?.(documents) ?? [])],
  };
  return { type: 'record', record };
}

export function keptFiling(
  content: string,
): { readonly header: FilingHeader; readonly documents: readonly Members[] } | undefined {
  const kept = readMembers(content);
  if (kept.text(`${ENTRY}.accession`)) return undefined;
  return { header: readHeader(kept.text('header') ?? ''), documents: kept.list('documents') };
}

export const ANNOUNCED: LeftOut = { type: 'left_out', reason: 'the entry announces a filing, which is read by itself' };
