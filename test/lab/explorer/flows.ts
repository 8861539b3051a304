import type { Flow } from './flow.ts';
import { COMPANY_FLOWS } from './flows/company.ts';
import { ERROR_FLOWS } from './flows/errors.ts';
import { KEY_FLOWS } from './flows/key.ts';
import { KEYBOARD_FLOWS } from './flows/keyboard.ts';
import { LOOK_UP_FLOWS } from './flows/look-up.ts';
import { OPERATION_FLOWS } from './flows/operations.ts';
import { SAVED_FLOWS } from './flows/saved.ts';
import { SEARCH_FLOWS } from './flows/search.ts';
import { TAKEN_AWAY_FLOWS } from './flows/taken-away.ts';
import { USAGE_FLOWS } from './flows/usage.ts';

export const FLOWS: readonly Flow[] = [
  ...KEY_FLOWS,
  ...SEARCH_FLOWS,
  ...TAKEN_AWAY_FLOWS,
  ...COMPANY_FLOWS,
  ...SAVED_FLOWS,
  ...LOOK_UP_FLOWS,
  ...OPERATION_FLOWS,
  ...USAGE_FLOWS,
  ...ERROR_FLOWS,
  ...KEYBOARD_FLOWS,
];
