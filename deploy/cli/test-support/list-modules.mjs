// Preloaded with --import. At exit it writes the loaded files, one a line, to the file in
// LOADED_MODULES.
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
