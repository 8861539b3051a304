import { superlinear } from '@ces/test/support/growth.ts';
import { expect, test } from 'vitest';
import { declaresDoctype } from './xml.ts';

test.each([
  '<!DOCTYPE a><a/>',
  '\ufeff<?xml version="1.0"?>\n<!-- x -->\n<!doctype a [<!ENTITY b "c">]><a/>',
  '<a><!DOCTYPE a [<!ENTITY b "c">]></a>',
  '<a b="<!--"><!DOCTYPE a [<!ENTITY b "c">]>--></a>',
  "<a b='<![CDATA['><!DOCTYPE a>]]></a>",
  '<![CDATA[]]><!DOCTYPE a>',
])('%s declares a document type', (xml) => {
  expect(declaresDoctype(xml)).toBe(true);
});

test.each([
  '<a><![CDATA[<!DOCTYPE html>]]></a>',
  '<a><!-- <!DOCTYPE html> --></a>',
  '<a b="<!DOCTYPE html>"/>',
  '<a>&lt;!DOCTYPE html&gt;</a>',
])('%s has it as a text', (xml) => {
  expect(declaresDoctype(xml)).toBe(false);
});

test.each(['<!--', '<![CDATA[', '<a b="', '<a>', '<?x'])(
  'many of %s take time in proportion to their number',
  { tags: 'nightly' },
  (part) => {
    expect(
      superlinear((size) => `${part.repeat(size)}<!DOCTYPE`, declaresDoctype, { from: 4_096, to: 65_536 }),
    ).toBeUndefined();
  },
);
