import type { FileId } from '@ces/cli/import/fields';
import type { ImportFiles } from '@ces/cli/import/files';
import { importFiles, type Mapped } from '@ces/cli/import/importer';
import { waitForIndex } from '@ces/cli/index-position';
import { startProgress } from '@ces/cli/output/progress';
import { count } from '@ces/cli/output/table';
import type { Stack } from '@ces/cli/stack';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';

export interface FileIds {
  readonly companies: ReadonlyMap<number, FileId>;
  readonly observations: ReadonlyMap<number, FileId>;
}

/**
 * Imports files without expiry dates and waits until all are searchable. Throws if any line was not
 * read.
 */
export async function importFolder(stack: Stack, files: ImportFiles, signal: AbortSignal): Promise<FileIds> {
  const companies = new Map<number, FileId>();
  const observations = new Map<number, FileId>();
  const remember = (rows: readonly Mapped[]) => {
    for (const { kind, id, file_id: fileId } of rows) (kind === 'company' ? companies : observations).set(id, fileId);
  };
  using progress = startProgress(process.stderr, 'import');
  const report = await importFiles({
    files,
    dataset: files.folderName,
    keepExpiry: false,
    skipBadLines: false,
    record: stack.client('lookup', RecordService, 60_000),
    signal,
    onMapped: remember,
    onProgress: ({ lines, fraction }) => progress.at(`${count(lines)} lines`, fraction),
  });
  if (report.stopped) throw report.stopped;
  await waitForIndex(stack, {
    signal,
    onStatus: ({ observations: indexed }, fraction) => progress.at(`${count(indexed)} observations indexed`, fraction),
  });
  return { companies, observations };
}
