import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { usersTable } from '#domains/access/schema.ts'
import { teamsTable } from '#domains/access/teams/schema.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import {
  dayHint,
  describeUnusableDate,
  findByName,
  getFilledCell,
  type ImportDefinition,
  isSameName,
  type LineProblem,
  removeUnchanged,
  writeEach,
} from '#domains/imports/public.ts'
import { formatOwnerKey } from '../campaign-or-team.ts'
import { noteField } from '../fields.ts'
import { activityItemsTable } from '../schema.ts'
import { activityItemAuditKind, addActivityItems, removeActivityItem } from './mutations.ts'

/** `author`: null is the person who imports. */
type ChangelogRow = { owner: string; date: string; note: string; author: number | null }

/** The import of the changelog: notes of campaigns and teams, of any day in the past. */
export const changelogImport: ImportDefinition<ChangelogRow> = {
  atOnce: 100,
  fields: [
    {
      name: 'campaign',
      label: 'Campaign',
      required: true,
      also: ['campaign name', 'team'],
      about: 'Name or number, or the name of a team',
      isReference: true,
    },
    { name: 'date', label: 'Date', required: true, also: ['day'], about: dayHint, reads: 'day' },
    { name: 'note', label: 'Note', required: true, also: ['text', 'entry', 'change'] },
    {
      name: 'user',
      label: 'User',
      also: ['username', 'by', 'author'],
      about: 'A username; without one, you',
      isReference: true,
    },
  ],

  open: async ({ db }) => {
    const [campaigns, teams, users] = await Promise.all([readCampaigns(db), readTeams(db), readUsers(db)])
    return (cells) => {
      const wrong: LineProblem[] = []
      const find = <T extends { id: number; name: string }>(field: string, thing: string, all: readonly T[]) => {
        const wanted = getFilledCell(cells, field)
        if (wanted === undefined) return null
        const found = findByName(thing, wanted, all, ({ name }) => isSameName(name, wanted))
        if (typeof found === 'string') wrong.push({ field, says: found })
        return typeof found === 'string' ? null : found
      }
      const isNamed = ({ name }: { name: string }) => isSameName(name, cells.campaign ?? '')
      const team = teams.find(isNamed)
      const count = [...teams, ...campaigns].filter(isNamed).length
      if (team && count > 1)
        wrong.push({
          field: 'campaign',
          says: `There are ${count} campaigns and teams named ${cells.campaign}; please use the number (NM ID) of the campaign, or rename one`,
        })
      const campaign = team ? null : find('campaign', 'campaign', campaigns)
      const author = find('user', 'user', users)
      const note = noteField.safeParse(cells.note)
      if (!note.success) wrong.push({ field: 'note', says: note.error.issues[0]?.message ?? 'Please input your note' })
      if (!cells.campaign) wrong.push({ field: 'campaign', says: 'Please name a campaign' })
      const unusable = cells.date
        ? describeUnusableDate(new Date(`${cells.date}T00:00:00Z`), new Date())
        : 'Please pick a date'
      if (unusable !== null) wrong.push({ field: 'date', says: unusable })
      if (wrong.length > 0 || !note.success || !cells.date) return { wrong }
      const owner = formatOwnerKey({ campaign_id: campaign?.id ?? null, team_id: team?.id ?? null })
      const row = { owner, date: cells.date, note: note.data, author: author?.id ?? null }
      return { row, names: [toItemKey(row)] }
    }
  },

  listNames: async (db, field) => {
    if (field !== 'campaign' && field !== 'user') return []
    const found = field === 'user' ? await readUsers(db) : [...(await readCampaigns(db)), ...(await readTeams(db))]
    return found.map(({ name }) => name)
  },

  there: async (db, rows) => {
    const { campaign_id, team_id, date, note } = activityItemsTable
    const days = [...new Set(rows.map((row) => row.date))]
    const found = await db
      .select({ campaign_id, team_id, date, note })
      .from(activityItemsTable)
      .where(and(inArray(date, days), isNull(activityItemsTable.deleted_at)))
    const keys = new Set(found.map((item) => toItemKey({ ...item, owner: formatOwnerKey(item) })))
    return rows.map((row) => (keys.has(toItemKey(row)) ? 'known' : 'fresh'))
  },

  write: (tx, { me, actor }, rows) =>
    writeEach(tx, rows, async (inner, { owner, date, note, author }) => {
      const form = { campaignId: owner, date, note, files: [], is_task: 0 as const, client_may_read: 0 as const }
      const [id] = await addActivityItems(inner, { me, actor, authorId: author ?? me.id }, form, date)
      return id!
    }),

  remove: (tx, by, ids, findUses) =>
    removeUnchanged(
      tx,
      ids,
      { table: activityItemsTable, kind: activityItemAuditKind, thing: 'this note', findUses },
      async (id) => {
        await removeActivityItem(tx, by, id)
        // Its campaign may be taken back next.
        await tx.delete(activityItemsTable).where(eq(activityItemsTable.id, id))
      },
    ),
}

const toItemKey = ({ owner, date, note }: Pick<ChangelogRow, 'owner' | 'date' | 'note'>) => `${owner} ${date} ${note}`

const readCampaigns = (db: DbOrTx) =>
  db.select({ id: campaignsTable.id, name: campaignsTable.name }).from(campaignsTable)
const readTeams = (db: DbOrTx) =>
  db.select({ id: teamsTable.id, name: teamsTable.name }).from(teamsTable).where(isNull(teamsTable.deleted_at))
const readUsers = (db: DbOrTx) =>
  db
    .select({ id: usersTable.id, name: usersTable.username })
    .from(usersTable)
    .where(and(inArray(usersTable.role, ['super_admin', 'admin', 'leads_handler']), isNull(usersTable.deleted_at)))
