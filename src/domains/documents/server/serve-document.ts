import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '#core/http/errors.ts'
import { keepPrivate } from '#core/http/private-page.ts'
import { createRateLimit } from '#core/http/rate-limit.ts'
import { renderPdf } from '#core/pdf/render-pdf.ts'
import type { PdfDocument } from '#core/pdf/tagged-pdf.ts'
import { type CurrentUser, isOutsider } from '#domains/access/public.ts'
import type { AgencyBrand } from '#domains/agency/contract.ts'
import { computeAgencyColors, readAgencyLogo } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { documentMessages } from '../labels.ts'

/** Requests per address. A PDF costs a hundred times a page. */
const countPage = createRateLimit(60, documentMessages.tooMany)
const countPdf = createRateLimit(10, documentMessages.tooMany)

type DocumentCall<Params> = {
  params: Params
  me: CurrentUser | null
  context: AppContext
  request: FastifyRequest
  reply: FastifyReply
}
type ServedDocument<Params, Found, Document> = {
  /** Finds the one that these parameters open. */
  find: (context: AppContext, params: Params, me: CurrentUser | null) => Promise<Found | null>
  read: (context: AppContext, found: Found) => Promise<Document | null>
  /** Notes when a person outside the agency first reads it. */
  noteOpened: (context: AppContext, found: Found) => Promise<void>
  describe: (document: Document, logo: Uint8Array | null) => PdfDocument
  nameFile: (document: Document) => string
  notFound: string
}

/** Returns the three calls of a client's document: its page, its PDF, and that a person reads it. */
export function serveDocument<Params, Found, Document>(served: ServedDocument<Params, Found, Document>) {
  const notFound = () => new HttpError(404, served.notFound)
  async function find({ context, params, me }: DocumentCall<Params>): Promise<Found> {
    const found = await served.find(context, params, me)
    if (found === null) throw notFound()
    return found
  }
  async function read(call: DocumentCall<Params>): Promise<Document> {
    const document = await served.read(call.context, await find(call))
    if (document === null) throw notFound()
    return document
  }
  return {
    read: async (call: DocumentCall<Params>) => {
      keepPrivate(call.reply)
      await countPage(call.context, call.request.ip)
      return read(call)
    },
    pdf: async (call: DocumentCall<Params>) => {
      keepPrivate(call.reply)
      await countPdf(call.context, call.request.ip)
      const document = await read(call)
      const file = await drawDocument(call.context, (logo) => served.describe(document, logo))
      const name = served.nameFile(document)
      call.reply
        .headers({ 'content-type': 'application/pdf', 'content-disposition': `inline; filename="${name}"` })
        .send(file)
    },
    opened: async (call: DocumentCall<Params>) => {
      keepPrivate(call.reply)
      await countPage(call.context, call.request.ip)
      const found = await find(call)
      if (isOutsider(call.me)) await served.noteOpened(call.context, found)
    },
  }
}

/** Draws a document as a PDF file, with the agency's logo. */
export const drawDocument = async (context: AppContext, describe: (logo: Uint8Array | null) => PdfDocument) =>
  renderPdf(describe(await readAgencyLogo(context)))

/** Returns the head of a document: the agency's name and logo above a line in its color. */
export const describeMasthead = ({ name, color }: Pick<AgencyBrand, 'name' | 'color'>, logo: Uint8Array | null) => ({
  kind: 'masthead' as const,
  name,
  color: computeAgencyColors(color).onLight,
  logo: logo && { png: logo, alt: `Logo of ${name}` },
})
