import { expect, test } from 'vitest';
import { selectorsOf } from './selectors.ts';

test('an expression asks for its series, with what their labels must be', () => {
  expect(selectorsOf('sum by (a) (rate(x_total{a="1",b!~"2.*"}[$__rate_interval])) / max(y) or absent(z)')).toEqual([
    {
      metric: 'x_total',
      matchers: [
        { label: 'a', operator: '=', value: '1' },
        { label: 'b', operator: '!~', value: '2.*' },
      ],
    },
    { metric: 'y', matchers: [] },
    { metric: 'z', matchers: [] },
  ]);
});

test('a text that is not PromQL is refused', () => {
  expect(() => selectorsOf('sum by (a')).toThrow('this is no PromQL');
});
