import { eq } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignCategoriesTable } from '../schema.ts'
import { type CampaignTemplate, campaignTemplateSchema } from '../template.ts'
import { categoryTemplatesContract } from '../template-contract.ts'

export const categoryTemplatesHandlers = implementContract(categoryTemplatesContract, {
  read: async ({ db, params }) => parseTemplate(await readStoredTemplate(db, params.id)),

  save: ({ db, params, body, actor }) =>
    db.transaction(async (tx) => {
      const before = await readStoredTemplate(tx, params.id, { lock: true })
      await tx.update(campaignCategoriesTable).set({ template: body }).where(eq(campaignCategoriesTable.id, params.id))
      await writeAudit(tx, actor, {
        kind: 'campaign category',
        rowId: params.id,
        before: { template: before },
        after: { template: body },
      })
      return body
    }),
})

/** Parsed, because PostgreSQL does not keep the key order of JSON. */
const parseTemplate = (stored: CampaignTemplate | null) => campaignTemplateSchema.parse(stored ?? {})

async function readStoredTemplate(db: DbOrTx, id: number, { lock = false } = {}) {
  const found = db
    .select({ template: campaignCategoriesTable.template })
    .from(campaignCategoriesTable)
    .where(eq(campaignCategoriesTable.id, id))
  const [category] = await (lock ? found.for('update') : found)
  if (!category) throw notFoundError()
  return category.template
}
