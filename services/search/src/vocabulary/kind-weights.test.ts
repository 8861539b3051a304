import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { expect, test } from 'vitest';
import { parseKindWeights } from './kind-weights.ts';

test('weights are in hundredths, an empty one is zero, and a feature may hold any sign', () => {
  expect(parseKindWeights(['job_posting,none', 'constant=15,-20', 'a = b=,150'])).toEqual({
    kinds: [Kind.JOB_POSTING, Kind.UNSPECIFIED],
    constants: [0.15, -0.2],
    features: new Map([['a = b', [0, 1.5]]]),
  });
});

test('a mistake names its line', () => {
  expect(() => parseKindWeights(['news', 'constant=0'])).toThrow('"news" is no kind');
  expect(() => parseKindWeights(['none', 'constant=0', 'nurse=1,2'])).toThrow('"nurse=1,2"');
  expect(() => parseKindWeights(['none', 'constant=0', 'nurse'])).toThrow('"nurse"');
  expect(() => parseKindWeights(['none', 'constant=0', 'nurse=x'])).toThrow('"nurse=x"');
});
