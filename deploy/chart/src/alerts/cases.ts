import type { AlertCase } from './case.ts';
import { ENGINE_CASES } from './engine-cases.ts';
import { OBJECTIVE_CASES } from './objective-cases.ts';
import { PLATFORM_CASES } from './platform-cases.ts';
import { STATE_CASES } from './state-cases.ts';

export const CASES: readonly AlertCase[] = [...OBJECTIVE_CASES, ...STATE_CASES, ...ENGINE_CASES, ...PLATFORM_CASES];
