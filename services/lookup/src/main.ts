import { runService } from '@ces/chassis/service/lifecycle';
import { readSettings } from '@ces/chassis/service/settings';
import { settings } from './config.ts';
import { start } from './start.ts';

await runService('lookup', (logger) => start(readSettings(settings, process.env), logger));
