// Loaded with --import: writes at the end which files were loaded, one a line, into the file that LOADED_MODULES names.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = [];
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.LOADED_MODULES ?? '', loaded.map((url) => `${url}\n`).join('')));
