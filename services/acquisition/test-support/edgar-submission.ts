export interface Submission {
  readonly form?: string;
  readonly accession?: string;
  readonly period?: string;
  readonly filed?: string;
  readonly company?: string;
  readonly cik?: string;
  readonly state?: string;
  readonly fileNumber?: string;
  readonly exhibits?: readonly (readonly [string, string])[];
}

export function submission(text: string, about: Submission = {}): string {
  const { form = '8-K', accession = '0009999999-26-000017', period = '20261102', filed = '20261105' } = about;
  const { company = 'WEIRWORKS INC', cik = '0009999999', state = 'OH', fileNumber = '001-99999' } = about;
  return [
    `<SEC-DOCUMENT>${accession}.txt : ${filed}`,
    `<SEC-HEADER>${accession}.hdr.sgml : ${filed}`,
    `<ACCEPTANCE-DATETIME>${filed}160000`,
    `ACCESSION NUMBER:\t\t${accession}`,
    `CONFORMED SUBMISSION TYPE:\t${form}`,
    'PUBLIC DOCUMENT COUNT:\t\t2',
    `CONFORMED PERIOD OF REPORT:\t${period}`,
    `FILED AS OF DATE:\t\t${filed}`,
    '',
    'FILER:',
    '',
    '\tCOMPANY DATA:\t',
    `\t\tCOMPANY CONFORMED NAME:\t\t\t${company}`,
    `\t\tCENTRAL INDEX KEY:\t\t\t${cik}`,
    '\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\tPUMPS & PUMPING EQUIPMENT [3561]',
    '\t\tSTATE OF INCORPORATION:\t\t\tDE',
    '',
    '\tFILING VALUES:',
    `\t\tFORM TYPE:\t\t${form}`,
    `\t\tSEC FILE NUMBER:\t${fileNumber}`,
    '',
    '\tBUSINESS ADDRESS:\t',
    '\t\tSTREET 1:\t\t1 WEIR STREET',
    '\t\tCITY:\t\t\tFAIRLOCK',
    `\t\tSTATE:\t\t\t${state}`,
    '\t\tZIP:\t\t\t45000',
    '\t\tBUSINESS PHONE:\t\t555-555-0142',
    '</SEC-HEADER>',
    ...documentOf(form, text),
    ...(about.exhibits ?? []).flatMap(([type, exhibit]) => documentOf(type, exhibit)),
    ...documentOf('GRAPHIC', 'begin 644 logo.jpg\nM_]C_X``02D9)1@`!\nend'),
    '</SEC-DOCUMENT>',
  ].join('\n');
}

function documentOf(type: string, text: string): string[] {
  return [
    '<DOCUMENT>',
    `<TYPE>${type}`,
    '<SEQUENCE>1',
    `<FILENAME>${type.toLowerCase()}.htm`,
    '<TEXT>',
    text,
    '</TEXT>',
    '</DOCUMENT>',
  ];
}
