import { readSettings } from '@ces/chassis/env';
import { runService } from '@ces/chassis/lifecycle';
import { settings } from './config.ts';
import { start } from './start.ts';

await runService('acquisition', (logger) => start(readSettings(settings, process.env), logger));
