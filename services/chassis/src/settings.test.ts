import { expect, test } from 'vitest';
import { ConfigurationError, flag, integer, oneOf, pairs, readSettings, text, url } from './settings.ts';

const settings = {
  name: text('CES_NAME', 'a name'),
  port: integer('CES_PORT', 'a port', { default: '8080', max: 65_535 }),
  mode: oneOf('CES_MODE', 'a mode', ['fast', 'safe'], { default: 'safe' }),
  verbose: flag('CES_VERBOSE', 'a switch'),
  database: url('CES_DATABASE', 'an address', { schemes: ['postgres'] }),
  tokens: pairs('CES_TOKENS', 'tokens', { default: '' }),
};

test('settings are read with their defaults', () => {
  const values = readSettings(settings, { CES_NAME: 'a', CES_DATABASE: 'postgres://h/d', CES_TOKENS: 'x=1,y=2=3' });
  expect(values).toMatchObject({ name: 'a', port: 8080, mode: 'safe', verbose: false });
  expect([...values.tokens]).toEqual([
    ['x', '1'],
    ['y', '2=3'],
  ]);
});

test('every mistake is reported at once, each with what the setting is for', () => {
  const wrong = { CES_PORT: '70000', CES_MODE: 'slow', CES_VERBOSE: 'yes', CES_DATABASE: 'mysql://h', CES_TOKENS: 'x' };
  const read = () => readSettings(settings, wrong);
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(
    [
      'CES_NAME is not set: a name.',
      'CES_PORT must be a whole number from 0 to 65535: a port.',
      'CES_MODE must be one of fast, safe: a mode.',
      'CES_VERBOSE must be true or false: a switch.',
      'CES_DATABASE must be an address that starts with postgres://: an address.',
      'CES_TOKENS must be name=value pairs separated by commas: tokens.',
    ].join('\n'),
  );
});

test('a mistake never repeats the value, which may be a secret', () => {
  expect(() => readSettings({ key: url('KEY', 'k', { schemes: ['nats'], secret: true }) }, { KEY: 'hunter2' })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
  );
});
