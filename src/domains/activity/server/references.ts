import { and, eq, inArray, isNull, notExists, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { invalid, notFound } from '#core/http/errors.ts'
import { users } from '#domains/access/schema.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { teams } from '#domains/access/teams/schema.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { sortedOut } from '../campaign-or-team.ts'
import { noAssignee } from '../contract.ts'
import { files } from '../files/schema.ts'
import { activityItemFiles } from '../schema.ts'

/** Ids in the form are checked like the one in the path, and held until the end, so that nobody removes them meanwhile. */

/** One that there is not, or that this person may not see, refuses the whole form. */
export async function needPlaces(tx: Tx, me: Me, keys: readonly string[]) {
  const wanted = sortedOut(keys)
  const seen = await tx
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(inArray(campaigns.id, wanted.campaigns), inTheirCampaigns(me, campaigns.id)))
    .orderBy(campaigns.id)
    .for('key share')
  const kept = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(inArray(teams.id, wanted.teams), isNull(teams.deleted_at)))
    .orderBy(teams.id)
    .for('share')
  if (seen.length + kept.length < keys.length) throw notFound()
}

/** An admin who can sign in. */
export async function needAssignee(tx: Tx, id: number) {
  const [found] = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(eq(users.id, id), inArray(users.role, ['admin', 'super_admin']), users.is_active, isNull(users.deleted_at)),
    )
    .for('share')
  if (!found) throw invalid({ assignee_id: [noAssignee] })
}

/** Uploads of their own that hang on nothing yet. */
export async function needImages(tx: Tx, me: Me, ids: number[]) {
  if (ids.length === 0) return
  const found = await tx
    .select({ id: files.id })
    .from(files)
    .where(
      and(
        inArray(files.id, ids),
        eq(files.user_id, me.id),
        isNull(files.removed_at),
        notExists(tx.select({ one: sql`1` }).from(activityItemFiles).where(eq(activityItemFiles.file_id, files.id))),
      ),
    )
    .orderBy(files.id)
    .for('update')
  if (found.length < ids.length) throw invalid({ files: ['There is no such image'] })
}
