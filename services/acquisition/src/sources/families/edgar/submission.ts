import { wholeCharacters } from '../../../extract/formats/text.ts';

export interface FiledDocument {
  readonly type: string;
  readonly name: string;
  readonly text: string;
}

/** All documents together fit a raw record. The report itself comes first. */
const MAX_CHARACTERS = 3_500_000;
const MAX_DOCUMENTS = 5;

export function filedDocuments(submission: string, wanted: RegExp): FiledDocument[] {
  const found: FiledDocument[] = [];
  let left = MAX_CHARACTERS;
  for (let at = submission.indexOf('<DOCUMENT>'); at >= 0 && found.length < MAX_DOCUMENTS; ) {
    const next = submission.indexOf('<DOCUMENT>', at + 1);
    const head = submission.slice(at, at + 600);
    const type = /^<TYPE>(.*)$/m.exec(head)?.[1]?.trim() ?? '';
    if (wanted.test(type)) {
      const text = wholeCharacters(bodyOf(submission.slice(at, next < 0 ? undefined : next)).slice(0, left));
      left -= text.length;
      found.push({ type, name: /^<FILENAME>(.*)$/m.exec(head)?.[1]?.trim() ?? '', text });
    }
    at = next;
  }
  return found;
}

function bodyOf(document: string): string {
  const start = document.indexOf('<TEXT>');
  if (start < 0) return '';
  const end = document.lastIndexOf('</TEXT>');
  const body = document.slice(start + '<TEXT>'.length, end < start ? undefined : end).trim();
  return unwrapped(body);
}

function unwrapped(body: string): string {
  const name = ['XBRL', 'XML'].find((tag) => body.startsWith(`<${tag}>`));
  if (name === undefined) return body;
  const inner = body.slice(name.length + 2);
  return (inner.endsWith(`</${name}>`) ? inner.slice(0, -name.length - 3) : inner).trim();
}

export function filingPage(cik: string, accession: string): string {
  return `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll('-', '')}/${accession}-index.htm`;
}

export function submissionAddress(cik: string, accession: string): string {
  return `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession}.txt`;
}
