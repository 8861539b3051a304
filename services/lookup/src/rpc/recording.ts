import { timestampDate } from '@bufbuild/protobuf/wkt';
import { inTransaction, type Queryable } from '@ces/chassis/postgres/pool';
import { type Actor, actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { RecordOutcome, type Source } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { ServiceImpl } from '@connectrpc/connect';
import { type AuditEntry, insertAuditEntry } from '../db/audit.ts';
import { noteSourceRead, registerSource, type SourceTerms } from '../db/source.ts';
import type { Dependencies } from '../dependencies.ts';
import { keyedFormerNames } from '../matching/company-facts.ts';
import { keyOfName } from '../matching/legal-name.ts';
import { accepted, BatchResults } from '../recording/batch-results.ts';
import { writeClosings } from '../recording/write-closings.ts';
import { writeCompanies } from '../recording/write-companies.ts';
import { writeEvidence } from '../recording/write-evidence.ts';
import { withResolutionLock, withSharedResolutionLock } from '../resolution/resolution-lock.ts';
import { checkClosing } from '../validation/check-closing.ts';
import { checkCompany } from '../validation/check-company.ts';
import { checkObservation } from '../validation/check-observation.ts';
import { checkText, checkUri } from '../validation/check-values.ts';
import { type Checked, check } from '../validation/checked.ts';
import { checkBatch } from './arguments.ts';

/** What a batch writes is written in one transaction. Each record is written or refused. */
export function recordingMethods(dependencies: Dependencies) {
  const { pool, notifier, vocabulary } = dependencies;
  return {
    async recordCompanies({ source, companies }, context) {
      checkBatch(source, companies.length);
      const checked = companies.map(checkCompany);
      const results = new BatchResults(checked);
      const records = accepted(checked).map((record) => ({
        ...record,
        nameKey: keyOfName(vocabulary, record.name),
        formerNames: keyedFormerNames(vocabulary, record.formerNames),
      }));
      const tx = await withSharedResolutionLock(pool, async (client) => {
        const written = await writeCompanies(client, source, records, results);
        await auditRecorded(client, actorOf(context), 'record_companies', source, results.all());
        return written;
      });
      notifier.notify(tx);
      const answers = results
        .all()
        .map((result) =>
          result.outcome === RecordOutcome.REFUSED ? result : { outcome: result.outcome, companyId: result.id },
        );
      return { companies: answers, tx: tx ?? 0n };
    },
    async recordEvidence(request, context) {
      const { source } = request;
      checkBatch(source, request.observations.length);
      const checked = request.observations.map((record) => checkObservation(source, record));
      const results = new BatchResults(checked);
      const records = accepted(checked);
      const write = async (client: Queryable, commit?: () => void) => {
        const written = await writeEvidence(client, vocabulary, source, records, results);
        const audited = auditRecorded(client, actorOf(context), 'record_evidence', source, results.all());
        commit?.();
        await audited;
        return written;
      };
      const { tx, companies } = await (records.some((record) => record.company)
        ? withResolutionLock(dependencies, write)
        : withSharedResolutionLock(pool, write));
      notifier.notify(tx);
      const observations = results.all().map((result, index) => {
        if (result.outcome === RecordOutcome.REFUSED) return result;
        return { outcome: result.outcome, observationId: result.id, companyId: companies.get(index) ?? 0n };
      });
      return { observations, tx: tx ?? 0n };
    },
    async recordClosings(request, context) {
      const { source } = request;
      checkBatch(source, request.closings.length);
      const checked = request.closings.map(checkClosing);
      const { recorded, tx } = await withResolutionLock(dependencies, async (client) => {
        const written = await writeClosings(client, vocabulary, source, accepted(checked));
        await auditRecorded(client, actorOf(context), 'record_closings', source, [...written.recorded.values()]);
        return written;
      });
      notifier.notify(tx);
      const closings = checked.map((one, index) =>
        one.ok ? recorded.get(index) : { outcome: RecordOutcome.REFUSED, reason: one.reason },
      );
      return { closings: closings.map((one) => one ?? {}), tx: tx ?? 0n };
    },
    async registerSource({ source }, context) {
      if (!source) throw fail(FailureCode.INVALID_REQUEST, 'source is missing.');
      const checked = checkSource(source);
      if (!checked.ok) throw fail(FailureCode.INVALID_REQUEST, `${checked.reason}.`);
      const { name, licence } = checked.record;
      const changed = await inTransaction(pool, async (client) => {
        const written = await registerSource(client, checked.record);
        const entry = { actor: actorOf(context), action: 'register_source', source: name, reason: licence } as const;
        if (written) await insertAuditEntry(client, entry);
        if (source.readAt) await noteSourceRead(client, name, timestampDate(source.readAt));
        return written;
      });
      return { changed };
    },
  } satisfies Partial<ServiceImpl<typeof RecordService>>;
}

/** Only if something changed; acquisition documents its own runs. */
async function auditRecorded(
  client: Queryable,
  actor: Actor,
  action: Extract<AuditEntry['action'], `record_${string}`>,
  source: string,
  outcomes: readonly { readonly outcome: RecordOutcome }[],
): Promise<void> {
  const count = (wanted: RecordOutcome) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  const detail = { created: count(RecordOutcome.CREATED), amended: count(RecordOutcome.AMENDED) };
  if (actor.role === undefined || detail.created + detail.amended === 0) return;
  await insertAuditEntry(client, { actor, action, source, detail, reason: undefined });
}

function checkSource(source: Source): Checked<SourceTerms> {
  return check(() => ({
    name: checkText('name', source.name, 100),
    title: checkText('title', source.title, 200),
    publisher: checkText('publisher', source.publisher, 200),
    licence: checkText('licence', source.licence, 200),
    licenceUri: source.licenceUri === '' ? undefined : checkUri(source.licenceUri),
    attribution: checkText('attribution', source.attribution, 1000),
    homepage: source.homepage === '' ? undefined : checkUri(source.homepage),
  }));
}
