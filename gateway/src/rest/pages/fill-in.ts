import { assetUrl } from './assets.ts';

/** Script of pages with examples. It fills in the address and sample key of this service. */
export function examplesScript(): string {
  return `<script type="module" src="${assetUrl('docs.js')}"></script>\n`;
}

/** The script says there what it has filled in. `hasSampleKeys`: it may ask for them. */
export function filledInNote(hasSampleKeys: boolean): string {
  return `<p class="filled-in muted" role="note"${hasSampleKeys ? ' data-sample-keys' : ''} hidden></p>\n`;
}
