import { gen } from 'stream-chain';
import parser, { type Token } from 'stream-json/parser.js';
import { isRounded } from './json.ts';

/** Cuts pieces of a JSON text into tokens; integers that a double would round are texts, as `parseJson` gives them. */
export function jsonTokens() {
  return gen(parser(), exactNumber);
}

function exactNumber(token: Token): Token {
  return token.name === 'numberValue' && isRounded(token.value) ? { name: 'stringValue', value: token.value } : token;
}
