import type { DescEnum, DescField, DescMessage, Message } from '@bufbuild/protobuf';
import { isMessage } from '@bufbuild/protobuf';
import { type Timestamp, TimestampSchema, timestampDate } from '@bufbuild/protobuf/wkt';
import { CountrySchema } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';

export type Plain = { [name: string]: unknown };

/** Uses snake_case, numeric ids, ISO timestamps, lower-case enums and hexadecimal bytes. */
export function plain(schema: DescMessage, message: Message): Plain {
  const result: Plain = {};
  const values = message as unknown as Plain;
  for (const field of schema.fields) {
    const value = field.oneof ? chosen(values[field.oneof.localName], field) : values[field.localName];
    if (value === undefined) continue;
    result[field.name] = Array.isArray(value) ? value.map((item) => plainValue(field, item)) : plainValue(field, value);
  }
  return result;
}

/** No common prefix, lower case except for countries. */
export function enumName(schema: DescEnum, value: number): string {
  const name = (schema.value[value]?.name ?? String(value)).slice(schema.sharedPrefix?.length ?? 0);
  return schema.typeName === CountrySchema.typeName ? name : name.toLowerCase();
}

function plainValue(field: DescField, value: unknown): unknown {
  if (isMessage(value, TimestampSchema)) return timestampDate(value as Timestamp).toISOString();
  if (field.message) return plain(field.message, value as Message);
  if (field.enum) return enumName(field.enum, value as number);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'bigint' ? Number(value) : value;
}

function chosen(oneof: unknown, field: DescField): unknown {
  const { case: name, value } = oneof as { case?: string; value?: unknown };
  return name === field.localName ? value : undefined;
}
