import { eq } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { isStale, notFoundError, staleVersionError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignCategoriesTable } from '../schema.ts'
import { campaignTemplateSchema } from '../template.ts'
import { categoryTemplatesContract } from '../template-contract.ts'

export const categoryTemplatesHandlers = implementContract(categoryTemplatesContract, {
  read: async ({ db, params }) => toTemplate(await readStoredTemplate(db, params.id)),

  save: ({ db, params, body: { version: seen, ...template }, actor }) =>
    db.transaction(async (tx) => {
      const before = await readStoredTemplate(tx, params.id, { lock: true })
      if (isStale(seen, before.template_version))
        throw staleVersionError(
          categoryTemplatesContract.save,
          'Someone else has changed this template',
          toTemplate(before),
        )
      const after = { template, template_version: before.template_version + 1 }
      await tx.update(campaignCategoriesTable).set(after).where(eq(campaignCategoriesTable.id, params.id))
      await writeAudit(tx, actor, {
        kind: 'campaign category',
        rowId: params.id,
        before: { template: before.template },
        after: { template },
      })
      return toTemplate(after)
    }),
})

type StoredTemplate = Pick<typeof campaignCategoriesTable.$inferSelect, 'template' | 'template_version'>

/** Parsed, because PostgreSQL does not keep the key order of JSON. */
const toTemplate = ({ template, template_version }: StoredTemplate) => ({
  ...campaignTemplateSchema.parse(template ?? {}),
  version: template_version,
})

async function readStoredTemplate(db: DbOrTx, id: number, { lock = false } = {}): Promise<StoredTemplate> {
  const { template, template_version } = campaignCategoriesTable
  const found = db
    .select({ template, template_version })
    .from(campaignCategoriesTable)
    .where(eq(campaignCategoriesTable.id, id))
  const [category] = await (lock ? found.for('update') : found)
  if (!category) throw notFoundError()
  return category
}
