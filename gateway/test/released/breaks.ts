type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [field: string]: Json;
}

/** Schemas of requests may only become wider, schemas of answers only narrower. */
type Direction = 'sent' | 'got';

const DESCRIPTIVE = new Set([
  'title',
  'description',
  'example',
  'examples',
  'default',
  'deprecated',
  '$id',
  '$comment',
]);
const UPPER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
const LOWER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);

/** A change that it cannot judge counts as a break. */
export function findBreaks(released: JsonObject, now: JsonObject): string[] {
  return new Comparison(released, now).breaks();
}

class Comparison {
  readonly #released: JsonObject;
  readonly #now: JsonObject;
  readonly #found: string[] = [];
  /** Schemas under comparison, so that recursive schemas terminate. */
  readonly #open = new Set<string>();

  constructor(released: JsonObject, now: JsonObject) {
    this.#released = released;
    this.#now = now;
  }

  breaks(): string[] {
    const now = objectAt(this.#now, 'paths');
    for (const [path, methods] of entries(objectAt(this.#released, 'paths')))
      for (const [method, operation] of entries(methods)) {
        const at = `${method.toUpperCase()} ${path}`;
        const successor = objectAt(objectAt(now, path), method);
        if (Object.keys(successor).length === 0) this.#say(at, 'is gone');
        else this.#operation(at, asObject(operation), successor);
      }
    return this.#found;
  }

  #operation(at: string, before: JsonObject, after: JsonObject): void {
    this.#parameters(at, before, after);
    const [body, newBody] = [objectAt(before, 'requestBody'), objectAt(after, 'requestBody')];
    if (newBody.required === true && body.required !== true) this.#say(at, 'needs a body now');
    this.#content(`${at} body`, body, newBody, 'sent');
    const responses = objectAt(after, 'responses');
    for (const [status, response] of entries(objectAt(before, 'responses'))) {
      if (!(status in responses)) this.#say(at, `no longer answers ${status}`);
      else this.#response(`${at} ${status}`, asObject(response), objectAt(responses, status));
    }
  }

  #response(at: string, before: JsonObject, after: JsonObject): void {
    const headers = objectAt(after, 'headers');
    for (const name of Object.keys(objectAt(before, 'headers')))
      if (!(name in headers)) this.#say(at, `lacks the header ${name}`);
    this.#content(at, before, after, 'got');
  }

  #parameters(at: string, before: JsonObject, after: JsonObject): void {
    const keyed = (operation: JsonObject, document: JsonObject) =>
      new Map(
        listAt(operation, 'parameters')
          .map((parameter) => resolve(document, asObject(parameter)))
          .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter] as const),
      );
    const [old, current] = [keyed(before, this.#released), keyed(after, this.#now)];
    for (const [key, parameter] of current)
      if (parameter.required === true && old.get(key)?.required !== true) this.#say(at, `needs ${key} now`);
    for (const [key, parameter] of old) {
      const successor = current.get(key);
      if (!successor) this.#say(at, `no longer takes ${key}`);
      else this.#schema(`${at} ${key}`, objectAt(parameter, 'schema'), objectAt(successor, 'schema'), 'sent');
    }
  }

  #content(at: string, before: JsonObject, after: JsonObject, direction: Direction): void {
    const media = objectAt(after, 'content');
    for (const [type, value] of entries(objectAt(before, 'content'))) {
      if (!(type in media)) this.#say(at, `is no longer ${type}`);
      else this.#schema(at, objectAt(asObject(value), 'schema'), objectAt(objectAt(media, type), 'schema'), direction);
    }
  }

  #schema(at: string, released: JsonObject, now: JsonObject, direction: Direction): void {
    const pair = `${direction} ${JSON.stringify([released, now])}`;
    if (this.#open.has(pair)) return;
    this.#open.add(pair);
    const [before, after] = [resolve(this.#released, released), resolve(this.#now, now)];
    for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)]))
      if (!DESCRIPTIVE.has(keyword)) this.#keyword(at, keyword, before, after, direction);
    this.#open.delete(pair);
  }

  #keyword(at: string, keyword: string, before: JsonObject, after: JsonObject, direction: Direction): void {
    const [old, current] = [before[keyword], after[keyword]];
    if (keyword === 'properties') this.#properties(at, before, after, direction);
    else if (keyword === 'required' || keyword === 'enum' || keyword === 'type') {
      const [allowed, promised] = keyword === 'required' ? [old, current] : [current, old];
      // Requests: new accepts all that was accepted. Answers: new promises all that was promised.
      const [small, large] = direction === 'sent' ? [promised, allowed] : [allowed, promised];
      if (!isWithin(small, large, keyword)) this.#say(at, `${keyword} was ${show(old)} and is ${show(current)}`);
    } else if (UPPER.has(keyword) || LOWER.has(keyword)) {
      const [a, b] = direction === 'sent' ? [old, current] : [current, old];
      const none = UPPER.has(keyword) ? Infinity : -Infinity;
      const [inner, outer] = [typeof a === 'number' ? a : none, typeof b === 'number' ? b : none];
      if (UPPER.has(keyword) ? inner > outer : inner < outer)
        this.#say(at, `${keyword} was ${show(old)} and is ${show(current)}`);
    } else if (keyword === 'items') this.#schema(`${at}[]`, asObject(old), asObject(current), direction);
    else if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf') {
      const [one, other] = [listAt(before, keyword), listAt(after, keyword)];
      if (one.length !== other.length) this.#say(at, `has other alternatives in ${keyword}`);
      else for (const [i, part] of one.entries()) this.#schema(at, asObject(part), asObject(other[i]), direction);
    } else if (JSON.stringify(old) !== JSON.stringify(current))
      this.#say(at, `${keyword} was ${show(old)} and is ${show(current)}`);
  }

  #properties(at: string, before: JsonObject, after: JsonObject, direction: Direction): void {
    const properties = objectAt(after, 'properties');
    for (const [name, property] of entries(objectAt(before, 'properties'))) {
      if (!(name in properties)) this.#say(at, `has no ${name} any more`);
      else this.#schema(`${at}.${name}`, asObject(property), objectAt(properties, name), direction);
    }
  }

  #say(at: string, what: string): void {
    this.#found.push(`${at} ${what}`);
  }
}

/** An absent list of types or values allows everything; an absent `required` demands nothing. */
function isWithin(small: Json | undefined, large: Json | undefined, keyword: string): boolean {
  const everything = keyword !== 'required';
  if (large === undefined) return everything || small === undefined || listOf(small).length === 0;
  if (small === undefined) return !everything;
  const known = new Set(listOf(large).map((value) => JSON.stringify(value)));
  return listOf(small).every((value) => known.has(JSON.stringify(value)));
}

function resolve(document: JsonObject, schema: JsonObject): JsonObject {
  if (typeof schema.$ref !== 'string') return schema;
  let found: Json = document;
  for (const part of schema.$ref.replace('#/', '').split('/')) found = asObject(found)[part] ?? {};
  return resolve(document, asObject(found));
}

function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function objectAt(value: JsonObject, field: string): JsonObject {
  return asObject(value[field]);
}

function entries(value: Json): [string, Json][] {
  return Object.entries(asObject(value));
}

function listAt(value: JsonObject, field: string): readonly Json[] {
  return listOf(value[field]);
}

function listOf(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value as Json];
}

function show(value: Json | undefined): string {
  return value === undefined ? 'free' : JSON.stringify(value);
}
