import type { Document, Parsed } from '../../connector/source.ts';
import { isObject } from '../../extract/formats/json.ts';
import { readJsonItems } from '../../extract/formats/json-stream.ts';
import { fieldNames } from '../../extract/formats/members.ts';
import { contactNames } from '../../extract/passages/contact-fields.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { samNoticePage } from './notice.ts';

/** Contact persons, and addresses that require a key. */
const LEFT_OUT = ['pointOfContact', 'links', 'description'];

export async function* parseAnswer(document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const item of readJsonItems(document, 'opportunitiesData')) {
    position += 1;
    yield toRecord(item, position);
  }
}

function toRecord(item: unknown, position: number): Parsed {
  const names = contactNames([isObject(item) ? item.pointOfContact : undefined]);
  const content = keptContent(item, LEFT_OUT, names);
  const notice: unknown = JSON.parse(content);
  const { noticeId } = isObject(notice) ? notice : {};
  const id = typeof noticeId === 'string' ? noticeId.trim() : '';
  return {
    type: 'record',
    record: {
      key: id.slice(0, 400) || `opportunity ${position}`,
      uri: samNoticePage(id),
      content,
      fields: fieldNames(item),
    },
  };
}
