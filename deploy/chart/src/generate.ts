import { writeFile } from 'node:fs/promises';
import { COMPONENTS_FILE, componentsText } from './components-file.ts';

await writeFile(COMPONENTS_FILE, componentsText());
process.stdout.write(`${COMPONENTS_FILE} written\n`);
