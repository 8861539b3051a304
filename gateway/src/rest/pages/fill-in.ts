import { assetUrl } from './assets.ts';

export function examplesScript(): string {
  return `<script type="module" src="${assetUrl('docs.js')}"></script>\n`;
}

/** `hasSampleKeys`: the script may ask for them. */
export function filledInNote(hasSampleKeys: boolean): string {
  return `<p class="filled-in muted" role="note"${hasSampleKeys ? ' data-sample-keys' : ''} hidden></p>\n`;
}
