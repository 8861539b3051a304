import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.ts';

for (const [file, text] of generatedFiles()) {
  await writeFile(file, text);
  process.stdout.write(`${file}\n`);
}
