import { refused } from '../../connector/refuse.ts';
import type { Document, Parsed } from '../../connector/source.ts';
import { readCsv } from '../../extract/formats/csv.ts';
import { readHead } from '../../extract/formats/head.ts';
import { isObject, readJson } from '../../extract/formats/json.ts';
import { Members } from '../../extract/formats/members.ts';
import { readText } from '../../extract/formats/text.ts';
import { readXml, readXmlElements } from '../../extract/formats/xml.ts';
import { hostnameOf } from '../../extract/values/web-address.ts';
import { GOLDEN_PATHS, type LeiFacts, toParsed } from './record.ts';

const HEAD_CHARACTERS = 4_096;
const ROOT = /<((?:[A-Za-z_][\w-]{0,40}:)?)(LEIData|RelationshipData)[\s>]/;
const NUMBERED = [1, 2, 3, 4, 5];

/** The API, or a golden copy in XML or CSV, which hold the same facts. */
export async function* parseRecords(given: Document): AsyncGenerator<Parsed> {
  const { head, document } = await readHead(given, (text) => text.length >= HEAD_CHARACTERS, HEAD_CHARACTERS);
  if (head.startsWith('<')) yield* readXmlRecords(document, head);
  else if (/^"?LEI"?,/.test(head)) yield* readRows(document);
  else yield* readAnswer(document);
}

async function* readAnswer(document: Document): AsyncGenerator<Parsed> {
  const answer = readJson(await readText(document));
  const data = isObject(answer) ? answer.data : undefined;
  const items = Array.isArray(data) ? data : [data];
  for (const [position, item] of items.entries()) {
    const attributes = isObject(item) ? item.attributes : undefined;
    yield isObject(attributes)
      ? toParsed(() => ofAttributes(new Members(attributes)), `record ${position + 1}`)
      : refused(document.uri, 'data', 'holds no record');
  }
  const next = isObject(answer) && isObject(answer.links) ? answer.links.next : undefined;
  if (typeof next === 'string' && hostnameOf(next)) yield { type: 'follow_up', request: { url: next } };
}

function ofAttributes(record: Members): LeiFacts {
  const successors = record.list('entity.successorEntities').map((successor) => successor.text('lei'));
  return {
    text: (path) => record.text(path),
    otherNames: record
      .list('entity.otherNames')
      .map((other) => ({ name: other.text('name'), type: other.text('type') })),
    successors: [record.text('entity.successorEntity.lei'), ...successors],
    numbers: { bic: record.texts('bic'), ocid: record.text('ocid'), spglobal: record.texts('spglobal') },
  };
}

/** LEI-CDF. Relationships (RR-CDF) do not state what a company does: refused. */
async function* readXmlRecords(document: Document, head: string): AsyncGenerator<Parsed> {
  const [, prefix = '', root] = ROOT.exec(head) ?? [];
  const name = `${prefix}${root === 'RelationshipData' ? 'RelationshipRecord' : 'LEIRecord'}`;
  let position = 0;
  for await (const element of readXmlElements(document, name)) {
    position += 1;
    yield root === 'RelationshipData'
      ? refused(`record ${position}`, 'Relationship', 'states who owns whom, and describes neither')
      : toParsed(() => ofElement(element, prefix), `record ${position}`);
  }
  if (position === 0) yield refused(document.uri, name, 'is not in the document');
}

function ofElement(element: string, prefix: string): LeiFacts {
  const named = (path: string) => path.replaceAll(/\w+/g, (name) => `${prefix}${name}`);
  const lists = ['OtherEntityName', 'SuccessorEntity'].map(named);
  const [root = new Members({})] = readXml(element, [...lists, named('LEIRecord')]).list(named('LEIRecord'));
  const others = root.list(named('Entity.OtherEntityNames.OtherEntityName'));
  return {
    text: (path) => root.text(`${named(GOLDEN_PATHS[path])}.#text`) ?? root.text(named(GOLDEN_PATHS[path])),
    otherNames: others.flatMap((other) => namedBy(other.text('#text'), other.text('@type'))),
    successors: root.list(named('Entity.SuccessorEntity')).map((one) => one.text(named('SuccessorLEI'))),
  };
}

async function* readRows(document: Document): AsyncGenerator<Parsed> {
  for await (const item of readCsv(document, { minColumns: 5 })) {
    if (item.type === 'refused') yield item;
    else yield toParsed(() => ofRow(new Members(item.row.values)), `line ${item.row.line}`);
  }
}

function ofRow(row: Members): LeiFacts {
  const others = NUMBERED.map((number) => `Entity.OtherEntityNames.OtherEntityName.${number}`);
  return {
    text: (path) => row.text(GOLDEN_PATHS[path]),
    otherNames: others.flatMap((column) => namedBy(row.text(column), row.text(`${column}.type`))),
    successors: NUMBERED.map((number) => row.text(`Entity.SuccessorEntity.${number}.SuccessorLEI`)),
  };
}

function namedBy(name: string | undefined, type: string | undefined): LeiFacts['otherNames'] {
  return name === undefined ? [] : [{ name, type }];
}
