import { gen } from 'stream-chain';
import parser, { type Token } from 'stream-json/parser.js';
import { isRounded } from './json.ts';

/** Tokenises JSON text. Integers that a double would round become strings, as in `parseJson`. */
export function jsonTokens() {
  return gen(parser(), exactNumber);
}

function exactNumber(token: Token): Token {
  return token.name === 'numberValue' && isRounded(token.value) ? { name: 'stringValue', value: token.value } : token;
}
