import type { Tx } from '#core/db/db.ts'
import { randomToken } from '#core/secrets/secrets.ts'
import { readEmailBrand, readReplyHeaders } from '#domains/agency/public.ts'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { drawDocument } from '#domains/documents/public.ts'
import { queueEmail } from '#domains/messages/public.ts'
import { statementsTable } from '../schema.ts'
import { readClientDocument } from './document.ts'
import { isStatement, readStatement } from './queries.ts'
import { renderStatementEmail } from './StatementEmail.tsx'
import { buildStatementUrl, findStatementByKey, readStatementKey } from './statement-keys.ts'
import { describeStatementPdf } from './statement-pdf.ts'

/** `mailing` differs for each time that a statement is mailed; `sealed` has the addresses. */
type StatementMailing = { statement: number; mailing: string; sealed: string }
const sealPlace = 'statement mailing'

/** Mails a sent statement, with its PDF, once. The file is drawn by a job: others who send at the same time do not wait for it. */
export async function queueStatementEmails(tx: Tx, { jobs, secrets }: AppContext, id: number, to: string[]) {
  await tx.update(statementsTable).set({ mailed_at: new Date(), mailed_to: to }).where(isStatement(id))
  await jobs.send(tx, mailStatementJob, {
    statement: id,
    mailing: randomToken(128),
    sealed: secrets.seal(JSON.stringify(to), sealPlace).toString('base64'),
  })
}

export const mailStatementJob = defineJob<StatementMailing>({
  name: 'mail-statement',
  retries: 16, // over three days, as an email that cannot be sent: the statement says that it was emailed
  sealPlace,
  run: mailStatement,
})

async function mailStatement(context: AppContext, { statement: id, mailing, sealed }: StatementMailing) {
  const { db, settings, secrets } = context
  const statement = await readStatement(db, settings.AGENCY_TIMEZONE, id)
  const key = await readStatementKey(db, secrets, id)
  if (!statement || key === null) return // its link was closed since, or its client removed
  const document = await readClientDocument(db, settings, statement)
  const content = await drawDocument(context, (logo) => describeStatementPdf(document, logo))
  const email = await renderStatementEmail({
    document,
    brand: { ...(await readEmailBrand(db, settings)), name: document.agency.name },
    pageUrl: buildStatementUrl(settings.PUBLIC_URL, key),
  })
  const to: string[] = JSON.parse(secrets.open(Buffer.from(sealed, 'base64'), sealPlace))
  await db.transaction(async (tx) => {
    await tx.select({ id: statementsTable.ordinal }).from(statementsTable).where(isStatement(id)).for('share')
    // The next try begins with the link of then, if there is one.
    if ((await findStatementByKey(tx, key)) === null) throw new Error(`The link of statement ${id} was closed just now`)
    for (const address of to)
      await queueEmail(tx, context, {
        ...email,
        to: address,
        client: { id: statement.client.id, must_be_active: false },
        kind: 'statement',
        record_id: id,
        dedupe_key: `statement:${mailing}:${address.toLowerCase()}`,
        headers: await readReplyHeaders(tx, settings),
        attachments: [{ filename: `statement-${document.number}.pdf`, content_type: 'application/pdf', content }],
      })
  })
}
