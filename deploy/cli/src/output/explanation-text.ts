import {
  type ExplainedCompany,
  type ExplainedHit,
  FieldSchema,
  type Gain,
  LikenessSchema,
  type Occurrence,
} from '@ces/proto/ces/search/v1/explanation_pb.ts';
import { enumName } from './plain.ts';
import { type Cell, table } from './table.ts';

export function explanationText(companies: readonly ExplainedCompany[]): string {
  if (companies.length === 0) return 'The index no longer ranks these companies.';
  return companies.map(companyText).join('\n\n');
}

function companyText({ companyId, name, score, relevance, hits }: ExplainedCompany): string {
  return [
    `${companyId}  ${name}  score ${figure(score)}  answers with ${figure(relevance)}`,
    ...hits.map(hitText),
  ].join('\n');
}

function hitText(hit: ExplainedHit): string {
  const rows = [
    ...hit.gains.map(gainRow),
    ...partRow('place', hit.place),
    ...partRow('kind', hit.kind),
    ...factorRow('kind', hit.kindFactor),
    ...factorRow('elsewhere', hit.placeFactor),
    ...factorRow('other time', hit.timeFactor),
    ...factorRow('negated', hit.avoidedFactor),
    ...factorRow('no query word', hit.answerFactor),
    ...factorRow('other facts', hit.factFactor),
    ['of at most', `/${figure(hit.highest)}`, '', ''],
  ];
  return `  observation ${hit.observationId}  score ${figure(hit.score)}\n${indent(table(['word', 'gave', 'by', 'found'], rows))}`;
}

function gainRow({ term, value, ofCompany, occurrences }: Gain): readonly Cell[] {
  return [term, `+${figure(value)}`, ofCompany ? 'profile' : 'text', occurrences.map(occurrenceText).join(', ')];
}

function occurrenceText({ field, likeness, text }: Occurrence): string {
  return `"${text}" in ${enumName(FieldSchema, field)} (${enumName(LikenessSchema, likeness)})`;
}

function partRow(name: string, value: number): (readonly Cell[])[] {
  return value > 0 ? [[name, `+${figure(value)}`, '', '']] : [];
}

function factorRow(name: string, factor: number): (readonly Cell[])[] {
  return factor === 1 ? [] : [[name, `x${figure(factor)}`, '', '']];
}

function figure(value: number): string {
  return value.toFixed(3);
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
