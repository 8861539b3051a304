import type { Guide } from './guide.ts';
import { plainText, slugOf } from './markdown.ts';

/** `assets/docs.js` reads these. */
export interface Section {
  readonly url: string;
  readonly guide: string;
  readonly heading: string;
  readonly text: string;
}

/** Splits at second-level headings. */
export function sectionsOf({ name, title, markdown }: Guide): readonly Section[] {
  const [first = '', ...others] = markdown.split(/^## /m);
  const url = `/docs/${name}`;
  const opening = { url, guide: title, heading: title, text: plainText(withoutFirstLine(first)) };
  return [
    opening,
    ...others.map((part) => {
      const [heading = ''] = part.split('\n', 1);
      const text = plainText(withoutFirstLine(part));
      return { url: `${url}#${slugOf(heading)}`, guide: title, heading: plainText(heading), text };
    }),
  ];
}

function withoutFirstLine(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}
