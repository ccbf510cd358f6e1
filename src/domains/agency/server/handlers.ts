import { sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import { notFoundError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { agencyContract } from '../contract.ts'
import { agencyTable } from '../schema.ts'
import { readAgency } from './brand.ts'
import { readAgencyLogo } from './logo.ts'

const agencyAuditKind = 'agency'
/** The only row of the table. */
const agencyId = 1

export const agencyHandlers = implementContract(agencyContract, {
  read: ({ db, context }) => readAgency(db, context.settings),

  update: ({ db, context, body, actor }) =>
    db.transaction(async (tx) => {
      // Two saves take turns; before the first one there is no row to lock.
      await tx.execute(sql`lock table ${agencyTable} in share row exclusive mode`)
      const before = await readAgency(tx, context.settings)
      await tx.insert(agencyTable).values(body).onConflictDoUpdate({ target: agencyTable.id, set: body })
      await writeAudit(tx, actor, { kind: agencyAuditKind, rowId: agencyId, before, after: body })
      return readAgency(tx, context.settings)
    }),

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
