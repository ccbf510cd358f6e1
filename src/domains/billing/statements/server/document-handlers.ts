import { and, eq, isNull, sql } from 'drizzle-orm'
import { HttpError } from '#core/http/errors.ts'
import { keepPrivate } from '#core/http/private-page.ts'
import { createRateLimit } from '#core/http/rate-limit.ts'
import { renderPdf } from '#core/pdf/render-pdf.ts'
import { isOutsider } from '#domains/access/public.ts'
import { readAgencyLogo } from '#domains/agency/public.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { parseStatementId, statementDocumentContract } from '../contract.ts'
import { statementMessages } from '../labels.ts'
import { statementsTable } from '../schema.ts'
import { readDocument } from './document.ts'
import { readStatement } from './queries.ts'
import { findStatementByKey } from './statement-keys.ts'
import { describeStatementPdf } from './statement-pdf.ts'

/** Requests per address. A PDF costs a hundred times a page. */
const countPage = createRateLimit(60, statementMessages.tooMany)
const countPdf = createRateLimit(10, statementMessages.tooMany)
const notFound = () => new HttpError(404, statementMessages.notFound)

/** Only the key counts: a session adds nothing. */
export const statementDocumentHandlers = implementContract(statementDocumentContract, {
  read: async ({ params, context, request, reply }) => {
    keepPrivate(reply)
    await countPage(context, request.ip)
    return openDocument(context, params.key)
  },

  pdf: async ({ params, context, request, reply }) => {
    keepPrivate(reply)
    await countPdf(context, request.ip)
    const document = await openDocument(context, params.key)
    const file = await renderPdf(describeStatementPdf(document, await readAgencyLogo(context)))
    reply
      .headers({
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="statement-${document.number}.pdf"`,
      })
      .send(file)
  },

  opened: async ({ db, me, params, context, request, reply }) => {
    keepPrivate(reply)
    await countPage(context, request.ip)
    const id = await findStatementByKey(db, params.key)
    if (id === null) throw notFound()
    if (!isOutsider(me)) return
    const { campaignId, from } = parseStatementId(id)
    await db
      .update(statementsTable)
      .set({ opened_at: sql`now()` })
      .where(
        and(
          eq(statementsTable.campaign_id, campaignId),
          eq(statementsTable.from_day, from),
          isNull(statementsTable.opened_at),
        ),
      )
  },
})

async function openDocument({ db, settings }: AppContext, key: string) {
  const id = await findStatementByKey(db, key)
  const statement = id === null ? null : await readStatement(db, settings.AGENCY_TIMEZONE, id)
  if (!statement) throw notFound()
  return readDocument(db, settings, statement)
}
