import { refused } from '../../connector/refuse.ts';
import type { Document, Parsed } from '../../connector/source.ts';
import { readCsv } from '../../extract/formats/csv.ts';
import { Members } from '../../extract/formats/members.ts';
import { readXml } from '../../extract/formats/xml.ts';
import { readXmlElements } from '../../extract/formats/xml-elements.ts';
import { type LeiRecord, toParsed } from './lei-record.ts';

const ROOT = /<((?:[A-Za-z_][\w-]{0,40}:)?)(LEIData|RelationshipData)[\s>]/;

/** LEI-CDF. Relationships (RR-CDF) do not state what a company does: refused. */
export async function* readXmlRecords(document: Document, head: string): AsyncGenerator<Parsed> {
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

export async function* readRows(document: Document): AsyncGenerator<Parsed> {
  for await (const item of readCsv(document, { minColumns: 5 })) {
    if (item.type === 'refused') yield item;
    else yield toParsed(() => ofFields(fieldsOfRow(item.row.values)), `line ${item.row.line}`);
  }
}

interface Fields {
  text(path: string): string | undefined;
  readonly otherNames: LeiRecord['entity']['otherNames'];
  readonly successors: readonly (string | undefined)[];
}

function ofFields({ text, otherNames, successors }: Fields): LeiRecord {
  return {
    lei: text('LEI'),
    entity: {
      legalName: { name: text('Entity.LegalName') },
      otherNames: otherNames.filter(({ name }) => name !== undefined),
      headquartersAddress: {
        city: text('Entity.HeadquartersAddress.City'),
        region: text('Entity.HeadquartersAddress.Region'),
        country: text('Entity.HeadquartersAddress.Country'),
      },
      registeredAt: { id: text('Entity.RegistrationAuthority.RegistrationAuthorityID') },
      registeredAs: text('Entity.RegistrationAuthority.RegistrationAuthorityEntityID'),
      jurisdiction: text('Entity.LegalJurisdiction'),
      category: text('Entity.EntityCategory'),
      status: text('Entity.EntityStatus'),
      successorEntities: successors.map((lei) => ({ lei })),
    },
    registration: {
      status: text('Registration.RegistrationStatus'),
      nextRenewalDate: text('Registration.NextRenewalDate'),
    },
    bic: [],
    ocid: undefined,
    spglobal: [],
  };
}

const NUMBERED = [1, 2, 3, 4, 5] as const;

function fieldsOfRow(values: Readonly<Record<string, string>>): Fields {
  const text = (column: string) => values[column]?.trim() || undefined;
  return {
    text,
    otherNames: NUMBERED.map((number) => {
      const column = `Entity.OtherEntityNames.OtherEntityName.${number}`;
      return { name: text(column), type: text(`${column}.type`) };
    }),
    successors: NUMBERED.map((number) => text(`Entity.SuccessorEntity.${number}.SuccessorLEI`)),
  };
}

function ofElement(element: string, prefix: string): LeiRecord {
  const named = (path: string) => path.replaceAll(/\w+/g, (name) => `${prefix}${name}`);
  const lists = ['OtherEntityName', 'SuccessorEntity'].map(named);
  const [root = new Members({})] = readXml(element, [...lists, named('LEIRecord')]).list(named('LEIRecord'));
  return ofFields({
    text: (path) => root.text(`${named(path)}.#text`) ?? root.text(named(path)),
    otherNames: root
      .list(named('Entity.OtherEntityNames.OtherEntityName'))
      .map((other) => ({ name: other.text('#text'), type: other.text('@type') })),
    successors: root.list(named('Entity.SuccessorEntity')).map((one) => one.text(named('SuccessorLEI'))),
  });
}
