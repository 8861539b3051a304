import { fromJson } from '@bufbuild/protobuf';
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';

/** The message completes "FILE line N: …". */
export class BadLine extends Error {
  override readonly name = 'BadLine';
}

export type FileId = number | string;

export interface Parsed<R> {
  readonly fileId: FileId;
  readonly record: R;
}

export interface Fields {
  readonly values: Readonly<Record<string, unknown>>;
  readonly path: string;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function parseLine(line: Buffer): Fields {
  let value: unknown;
  try {
    value = JSON.parse(textOf(line));
  } catch (error) {
    throw error instanceof BadLine ? error : new BadLine('it is not JSON');
  }
  return fieldsOf(value, '');
}

function textOf(line: Buffer): string {
  try {
    return UTF_8.decode(line);
  } catch {
    throw new BadLine('it is not UTF-8');
  }
}

export function objectAt(fields: Fields, name: string): Fields {
  return fieldsOf(fields.values[name], pathOf(fields, name));
}

export function objectsAt(fields: Fields, name: string): Fields[] {
  return listAt(fields, name).map((value, index) => fieldsOf(value, `${pathOf(fields, name)}[${index}]`));
}

export function textsAt(fields: Fields, name: string): string[] {
  return listAt(fields, name).map((value) => {
    if (typeof value !== 'string') throw new BadLine(`${pathOf(fields, name)} must be a list of strings`);
    return value;
  });
}

export function textAt(fields: Fields, name: string): string {
  const value = fields.values[name];
  if (typeof value !== 'string' || value.trim() === '')
    throw new BadLine(`${pathOf(fields, name)} must be a string that is not blank`);
  return value;
}

export function optionalTextAt(fields: Fields, name: string): string | undefined {
  return fields.values[name] === undefined ? undefined : textAt(fields, name);
}

/** A positive integer, or at most 512 characters without white space. */
export function fileIdAt(fields: Fields, name: string): FileId {
  const value = fields.values[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  if (typeof value === 'string' && /^\S{1,512}$/.test(value)) return value;
  throw new BadLine(`${pathOf(fields, name)} must be a whole number from 1 or a string without blanks`);
}

export function fractionAt(fields: Fields, name: string): number {
  const value = fields.values[name];
  if (typeof value !== 'number' || value < 0 || value > 1)
    throw new BadLine(`${pathOf(fields, name)} must be a number from 0 to 1`);
  return value;
}

export function timestampAt(fields: Fields, name: string): Timestamp {
  const value = fields.values[name];
  if (typeof value === 'string') {
    try {
      return fromJson(TimestampSchema, value);
    } catch {
      // The error below names the field.
    }
  }
  throw new BadLine(`${pathOf(fields, name)} must be a timestamp like 2026-01-31T00:00:00Z`);
}

export function optionalTimestampAt(fields: Fields, name: string): Timestamp | undefined {
  return fields.values[name] === undefined || fields.values[name] === null ? undefined : timestampAt(fields, name);
}

function listAt(fields: Fields, name: string): unknown[] {
  const value = fields.values[name] ?? [];
  if (!Array.isArray(value)) throw new BadLine(`${pathOf(fields, name)} must be a list`);
  return value;
}

function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadLine(`${path || 'it'} must be a JSON object`);
  return { values: value as Record<string, unknown>, path };
}

function pathOf(fields: Fields, name: string): string {
  return fields.path ? `${fields.path}.${name}` : name;
}
