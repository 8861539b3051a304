import { writeFile } from 'node:fs/promises';
import { CHART } from './check/render.ts';
import { generatedFiles } from './generated-files.ts';
import { hasGo } from './programs/programs.ts';
import { generatePages } from './values/generate-pages.ts';

for (const [file, text] of generatedFiles()) {
  await writeFile(file, text);
  process.stdout.write(`${file}\n`);
}
if (await hasGo()) await generatePages(CHART);
else process.stdout.write('README.md and values.schema.json of the chart are not written: their tools need Go.\n');
