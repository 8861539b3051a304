import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { retry } from '@ces/chassis/service/retry';
import type { CompanyRecord, ObservationRecord, RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { refusalOf } from '../operator/rpc-refusal.ts';
import { Refusal } from '../refusal.ts';
import { type BatchOptions, batchesOf, type LineSource } from './batches.ts';
import type { FileId, Parsed } from './fields.ts';
import type { ImportFiles } from './files.ts';
import { mapInOrder } from './in-order.ts';
import { type LineFile, openLines } from './lines.ts';
import { readCompanyLine, readObservationLine } from './records.ts';
import { countOutcome, newTally, type Tally } from './tally.ts';

export interface Mapped {
  readonly kind: 'company' | 'observation';
  readonly file_id: FileId;
  readonly id: number;
}

export interface ImportOptions extends BatchOptions {
  readonly files: ImportFiles;
  /** (data set, file id) identifies a record. */
  readonly dataset: string;
  readonly keepExpiry: boolean;
  readonly record: Client<typeof RecordService>;
  readonly onMapped?: (rows: readonly Mapped[]) => Promise<void> | void;
  readonly onProgress?: (progress: { readonly lines: number; readonly fraction: number }) => void;
}

export interface ImportReport {
  readonly companies: Tally;
  readonly observations: Tally;
  stopped: Refusal | undefined;
}

const BATCHES_UNDER_WAY = 4;
const RETRY = { attempts: 6, firstPauseMs: 250 };

/** Companies first. Repeating it changes nothing. */
export async function importFiles(options: ImportOptions): Promise<ImportReport> {
  const { files, dataset, record, keepExpiry } = options;
  const report: ImportReport = { companies: newTally(), observations: newTally(), stopped: undefined };
  const companyFiles = await Promise.all(files.companies.map(openLines));
  const observationFiles = await Promise.all(files.observations.map(openLines));
  const progress = progressOf([...companyFiles, ...observationFiles], report, options);

  const companies: Step<CompanyRecord> = {
    kind: 'company',
    tally: report.companies,
    parse: readCompanyLine,
    send: async (rows) => {
      const { companies } = await record.recordCompanies({ source: dataset, companies: rows });
      return companies.map(({ outcome, companyId, reason }) => ({ outcome, id: companyId, reason }));
    },
  };
  const observations: Step<ObservationRecord> = {
    kind: 'observation',
    tally: report.observations,
    parse: (line) => readObservationLine(line, { keepExpiry }),
    send: async (rows) => {
      const { observations } = await record.recordEvidence({ source: dataset, observations: rows });
      return observations.map(({ outcome, observationId, reason }) => ({ outcome, id: observationId, reason }));
    },
  };
  try {
    for (const file of companyFiles) await recordFile(companies, file, options, progress);
    for (const file of observationFiles) await recordFile(observations, file, options, progress);
  } catch (error) {
    report.stopped = withHowToGoOn(refusalOf(error));
  }
  return report;
}

interface Recorded {
  readonly outcome: RecordOutcome;
  readonly id: bigint;
  readonly reason: string;
}

interface Step<R> extends LineSource<R> {
  readonly kind: Mapped['kind'];
  readonly send: (rows: R[]) => Promise<Recorded[]>;
}

async function recordFile<R>(
  step: Step<R>,
  file: LineFile,
  options: ImportOptions,
  progress: () => void,
): Promise<void> {
  const send = async (batch: Parsed<R>[]) => ({
    batch,
    answers: await sendAgain(() => step.send(batch.map((row) => row.record)), options.signal),
  });
  for await (const { batch, answers } of mapInOrder(batchesOf(step, file, options), BATCHES_UNDER_WAY, send)) {
    const mapped: Mapped[] = [];
    for (const [index, { outcome, id, reason }] of answers.entries()) {
      countOutcome(step.tally, outcome, reason);
      const row = batch[index];
      if (row && id > 0n) mapped.push({ kind: step.kind, file_id: row.fileId, id: Number(id) });
    }
    await options.onMapped?.(mapped);
    progress();
  }
}

/** Retries a batch while the record does not answer; its writes are idempotent. */
function sendAgain<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const retryIf = (error: unknown) => !signal.aborted && failureOf(error)?.code === FailureCode.SERVICE_UNAVAILABLE;
  return retry(send, { ...RETRY, retryIf });
}

function withHowToGoOn({ message, code, cause }: Refusal): Refusal {
  const sentence = `${message.replace(/\.$/, '')}. The lines read so far are stored: run the import again to continue.`;
  return new Refusal(sentence, { code, cause });
}

function progressOf(opened: readonly LineFile[], report: ImportReport, options: ImportOptions): () => void {
  const total = opened.reduce((sum, file) => sum + file.size, 0) || 1;
  return () => {
    const done = opened.reduce((sum, file) => sum + file.bytesRead(), 0);
    options.onProgress?.({ lines: report.companies.read + report.observations.read, fraction: done / total });
  };
}
