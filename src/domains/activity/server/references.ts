import { and, eq, inArray, isNull, notExists, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { notFoundError, validationError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { usersTable } from '#domains/access/schema.ts'
import { teamsTable } from '#domains/access/teams/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { splitOwnerKeys } from '../campaign-or-team.ts'
import { assigneeRequiredMessage } from '../contract.ts'
import { filesTable } from '../files/schema.ts'
import { activityItemFilesTable } from '../schema.ts'

/** Ids in the form are checked like the one in the path, and locked so that their rows are not removed before the commit. */

/** Throws if any campaign or team does not exist or is hidden from this person. */
export async function requireOwners(tx: Tx, me: CurrentUser, keys: readonly string[]) {
  const wanted = splitOwnerKeys(keys)
  const seen = await tx
    .select({ id: campaignsTable.id })
    .from(campaignsTable)
    .where(and(inArray(campaignsTable.id, wanted.campaigns), inVisibleCampaigns(me, campaignsTable.id)))
    .orderBy(campaignsTable.id)
    .for('key share')
  const kept = await tx
    .select({ id: teamsTable.id })
    .from(teamsTable)
    .where(and(inArray(teamsTable.id, wanted.teams), isNull(teamsTable.deleted_at)))
    .orderBy(teamsTable.id)
    .for('share')
  if (seen.length + kept.length < keys.length) throw notFoundError()
}

/** Throws unless the assignee is an admin who can sign in. */
export async function requireAssignee(tx: Tx, id: number) {
  const [found] = await tx
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(
      and(
        eq(usersTable.id, id),
        inArray(usersTable.role, ['admin', 'super_admin']),
        usersTable.is_active,
        isNull(usersTable.deleted_at),
      ),
    )
    .for('share')
  if (!found) throw validationError({ assignee_id: [assigneeRequiredMessage] })
}

/** Throws unless all images are this person's own unattached uploads. */
export async function requireImages(tx: Tx, me: CurrentUser, ids: number[]) {
  if (ids.length === 0) return
  const found = await tx
    .select({ id: filesTable.id })
    .from(filesTable)
    .where(
      and(
        inArray(filesTable.id, ids),
        eq(filesTable.user_id, me.id),
        isNull(filesTable.removed_at),
        notExists(
          tx
            .select({ one: sql`1` })
            .from(activityItemFilesTable)
            .where(eq(activityItemFilesTable.file_id, filesTable.id)),
        ),
      ),
    )
    .orderBy(filesTable.id)
    .for('update')
  if (found.length < ids.length) throw validationError({ files: ['There is no such image'] })
}
