import Type, { type TEnum, type TObject, type TProperties, type TSchema } from 'typebox';

/** No additional properties; `title` names it in OpenAPI. */
export function closed<P extends TProperties>(title: string, properties: P, description?: string): TObject<P> {
  return Type.Object(properties, { title, additionalProperties: false, ...(description && { description }) });
}

export function oneOf<const V extends string[]>(values: [...V], description?: string): TEnum<V> {
  return Type.Enum(values, { type: 'string', ...(description && { description }) });
}

/** One name in OpenAPI and in generated types. */
export function namedChoice<const V extends string[]>(title: string, values: [...V], description?: string): TEnum<V> {
  return Type.Enum(values, { type: 'string', title, ...(description && { description }) });
}

export const Id = Type.Integer({ minimum: 1 });
export const Count = Type.Integer({ minimum: 0 });
export const Instant = Type.String({ format: 'date-time' });
export const Text = Type.String();

export function orNull<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description ? { description } : {});
}
