import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { emailField, textField } from '#contract/fields.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { validationError } from '#core/http/errors.ts'
import { toPhoneKey } from '#domains/leads/public.ts'
import { phoneOrEmailRequired } from '#domains/leads/spam/contract.ts'
import { blacklistTable, keywordsTable, ruleHitsTable, spammersTable } from '#domains/leads/spam/schema.ts'
import { removeSpammer } from '#domains/leads/spam/server/remove-spammer.ts'
import { type KindWriter, type MoveCaller, readText } from '#domains/moves/public.ts'
import { fitForm } from './fit-form.ts'
import { requireName } from './named-things.ts'

/** Writes that the blacklist as a whole has changed. */
async function recordBlacklist(tx: Tx, { actor }: MoveCaller, before: string[]) {
  const [list] = await tx
    .update(blacklistTable)
    .set({ version: sql`${blacklistTable.version} + 1` })
    .returning()
  const after = await readKeywordTexts(tx)
  await writeAudit(tx, actor, {
    kind: 'blacklist',
    rowId: 1,
    before: { keywords: before.join('\n') },
    after: { keywords: after.join('\n') },
    version: list!.version,
  })
}

const readKeywordTexts = async (tx: Tx): Promise<string[]> =>
  (await tx.select({ keyword: keywordsTable.keyword }).from(keywordsTable).orderBy(keywordsTable.position)).map(
    ({ keyword }) => keyword,
  )

export const movedKeyword: KindWriter = {
  write: async (tx, by, { payload }) => {
    const { name: keyword, kept } = requireName(readText(payload, 'keyword'))
    await tx.select().from(blacklistTable).for('update')
    const before = await readKeywordTexts(tx)
    const [made] = await tx
      .insert(keywordsTable)
      .values({
        keyword,
        position: sql`(select coalesce(max(position), -1) + 1 from ${keywordsTable})`,
        created_by: by.actor.me?.id ?? null,
      })
      .returning({ id: keywordsTable.id })
    await recordBlacklist(tx, by, before)
    return { id: made!.id, kept }
  },
  remove: async (tx, by, id) => {
    await tx.select().from(blacklistTable).for('update')
    const before = await readKeywordTexts(tx)
    await tx.delete(ruleHitsTable).where(eq(ruleHitsTable.rule_id, id))
    const gone = await tx.delete(keywordsTable).where(eq(keywordsTable.id, id)).returning({ id: keywordsTable.id })
    if (gone.length > 0) await recordBlacklist(tx, by, before)
    return null
  },
}

/** Another system may write phones in another way than the form asks for. */
const movedSpammerSchema = z.object({
  name: textField(100).pipe(z.string().trim().min(1, 'Please input name')),
  phone: textField(50).nullable().default(null),
  email: emailField.nullable().default(null),
})

export const movedSpammer: KindWriter = {
  write: async (tx, { actor }, { payload }) => {
    const { form, kept } = fitForm(
      movedSpammerSchema,
      {
        name: readText(payload, 'name') ?? undefined,
        phone: readText(payload, 'phone') ?? undefined,
        email: readText(payload, 'email') ?? undefined,
      },
      ['name'],
    )
    if (form.phone === null && form.email === null) throw validationError({ phone: [phoneOrEmailRequired] })
    const [made] = await tx
      .insert(spammersTable)
      .values({ ...form, phone_key: toPhoneKey(form.phone), created_by: actor.me?.id ?? null })
      .returning({ id: spammersTable.id })
    await writeAudit(tx, actor, { kind: 'spammer', rowId: made!.id, before: null, after: form })
    return { id: made!.id, kept }
  },
  remove: async (tx, { actor }, id) => {
    await removeSpammer(tx, actor, id)
    return null
  },
}
