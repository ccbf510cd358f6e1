import { sql } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { Db } from '#core/db/db.ts'
import { HttpError, isStale, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import { readUpload } from '#core/http/upload.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { type Agency, agencyContract, logoTooLargeMessage, maxLogoBytes } from '../contract.ts'
import { agencyTable } from '../schema.ts'
import { readAgency } from './brand.ts'
import { readAgencyLogo } from './logo.ts'
import { convertLogo } from './logo-upload.ts'

const agencyAuditKind = 'agency'
/** The only row of the table. */
const agencyId = 1

export const agencyHandlers = implementContract(agencyContract, {
  read: ({ db, context }) => readAgency(db, context.settings),

  update: ({ body: { version: seen, ...form }, ...call }) =>
    saveAgency(call, (before) => {
      if (isStale(seen, before.version))
        throw staleVersionError(agencyContract.update, 'Someone else has changed the agency', before)
      return { ...form, version: before.version + 1 }
    }),

  uploadLogo: async ({ db, context, actor, request }) => {
    const sent = await readUpload(request, maxLogoBytes)
    if (sent === 'too large') throw new HttpError(413, logoTooLargeMessage, { file: [logoTooLargeMessage] })
    if (sent === 'missing') throw validationError({ file: ['Please pick an image'] })
    if (sent === 'broken')
      throw validationError({ file: ['This image did not arrive completely: please send it again'] })
    const image = await convertLogo(sent.bytes)
    return saveAgency({ db, context, actor }, () => ({ logo: `data:image/png;base64,${image.toString('base64')}` }))
  },

  removeLogo: (call) => saveAgency(call, () => ({ logo: null })),

  logo: async ({ context, reply }) => {
    const image = await readAgencyLogo(context)
    if (!image) throw notFoundError()
    // Webmail loads the logo from its own origin.
    reply
      .headers({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=86400',
        'cross-origin-resource-policy': 'cross-origin',
      })
      .send(image)
  },
})

type SavingAgency = { db: Db; context: AppContext; actor: AuditActor }

/** Changes what `change` returns. Two saves take turns; before the first one there is no row to lock. */
function saveAgency(
  { db, context, actor }: SavingAgency,
  change: (before: Agency) => Partial<Agency>,
): Promise<Agency> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${agencyTable} in share row exclusive mode`)
    const before = await readAgency(tx, context.settings)
    const { version, ...after } = { ...before, ...change(before) }
    const values = { ...after, version }
    await tx.insert(agencyTable).values(values).onConflictDoUpdate({ target: agencyTable.id, set: values })
    await writeAudit(tx, actor, { kind: agencyAuditKind, rowId: agencyId, before, after, version })
    return readAgency(tx, context.settings)
  })
}
