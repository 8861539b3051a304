import { expect, test } from 'vitest';
import { readMessage } from './message.ts';
import { ProtocolFault } from './protocol-fault.ts';

const read = (text: string) => readMessage(Buffer.from(text));
const call = (args: string) => read(`{"method":"tools/call","params":{"name":"x","arguments":${args}}}`);

test.each([
  ['a number that is not whole', '{"limit":1.5}'],
  ['a number that only rounding makes whole', '{"limit":1.00000000000000000001}'],
  ['a number beyond 2^53 - 1', '{"ids":[9007199254740993]}'],
  ['a key that stands twice', '{"query":"a","query":"b"}'],
  ['a key that stands twice, escaped', '{"query":"a","qu\\u0065ry":"b"}'],
  ['the key __proto__', '{"__proto__":{}}'],
  ['more than 16 levels', `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`],
  ['half a surrogate pair', '{"query":"\\ud800"}'],
  ['NUL', '{"query":"\\u0000"}'],
])('%s in the arguments is a fault of the arguments, as REST has it', (_what, args) => {
  const { argumentsFault, method } = call(args);
  expect(argumentsFault?.message).toBeTypeOf('string');
  expect(method).toBe('tools/call');
});

test('sixteen levels, whole numbers in any notation and any text are fine', () => {
  expect(call(`${'{"a":'.repeat(16)}1${'}'.repeat(16)}`).argumentsFault).toBeUndefined();
  expect(call('{"a":1e1,"b":2.0,"c":9007199254740991,"d":"1.5 \\" { } ,"}').argumentsFault).toBeUndefined();
});

test('client information may contain any numbers', () => {
  const { argumentsFault } = read(
    '{"params":{"_meta":{"score":0.5,"arguments":{"x":1.5}},"arguments":{"a":1}},"arguments":{"b":2.5}}',
  );
  expect(argumentsFault).toBeUndefined();
});

test.each([
  ['-32700', 'a body that is not JSON', '{'],
  ['-32700', 'an empty body', ''],
  ['-32600', 'a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'],
  ['-32600', 'arguments that stand twice', '{"params":{"arguments":{},"arguments":{}}}'],
  ['-32600', 'params that stand twice', '{"params":{"arguments":{}},"params":{}}'],
  ['-32600', 'the key __proto__ outside the arguments', '{"__proto__":{}}'],
])('%s answers %s', (code, _what, text) => {
  const refused = () => read(text);
  expect(refused).toThrow(ProtocolFault);
  expect(refused).toThrow(expect.objectContaining({ status: 400, code: Number(code) }));
});

test('bytes that are not UTF-8 are a parse error', () => {
  expect(() => readMessage(Buffer.from([0x7b, 0xff, 0x7d]))).toThrow('not UTF-8');
});
