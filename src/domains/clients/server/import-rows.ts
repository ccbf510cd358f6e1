import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Queries, Tx } from '#core/db/db.ts'
import { hashChosen, isCommon, nobodysHash, tooCommon } from '#core/secrets/passwords.ts'
import { users } from '#domains/access/schema.ts'
import { takenLines } from '#domains/access/server/accounts.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { filled, several, wrongIn, yesAndNo, yesOrNo } from '#domains/imports/server/cells.ts'
import type { Cells, Importable, Wrong } from '#domains/imports/server/importable.ts'
import { changedSince, writeEach } from '#domains/imports/server/write-rows.ts'
import { clientForm } from '../contract.ts'
import { timezones } from '../labels.ts'
import { clients } from '../schema.ts'
import { kind, makeClient, removeClient } from './mutations.ts'

/** Without a password nobody signs in to the account until somebody gives it one. */
const form = clientForm.partial({ password: true })
type NewClient = z.output<typeof form>

/** Clients with their login accounts. */
export const clientsImport: Importable<NewClient> = {
  // Hashing a password takes its time, and a commit should not.
  atOnce: 20,
  fields: [
    { name: 'name', label: 'Name', required: true, also: ['client', 'client name', 'company'] },
    { name: 'username', label: 'Nickname', required: true, also: ['user', 'user name', 'login'] },
    { name: 'email', label: 'Email', required: true, also: ['client email', 'e-mail', 'mail'] },
    {
      name: 'password',
      label: 'Password',
      about: 'Without one nobody signs in until you set one',
    },
    {
      name: 'timezone',
      label: 'Timezone',
      also: ['client timezone', 'time zone'],
      about: 'America/Chicago or Central Time (Chicago); otherwise New York',
    },
    {
      name: 'emails',
      label: 'Additional Emails',
      also: ['more emails'],
      about: 'With commas, semicolons or line breaks between',
    },
    { name: 'disable_notifications', label: 'Notifications disabled', about: yesAndNo },
  ],

  open: async () => understand,

  there: async (db, rows) => {
    const holders = await holdersOf(db, rows)
    return Promise.all(rows.map((row) => fateOf(row, holders)))
  },

  write: (tx, { actor }, rows) =>
    writeEach(tx, rows, async (inner, { password, ...client }) => {
      const password_hash = password === undefined ? await nobodysHash() : await hashChosen(password)
      return makeClient(inner, actor, { ...client, password_hash })
    }),

  remove: async (tx, by, ids) => {
    const kept = await inUse(tx, ids)
    for (const id of ids) if (!kept.has(id)) await removeClient(tx, by, id)
    return kept
  },
}

function understand(cells: Cells) {
  const zone = filled(cells, 'timezone')
  const code = Object.entries(timezones).find(([, label]) => label.toLowerCase() === zone?.toLowerCase())?.[0]
  const disabled = filled(cells, 'disable_notifications')
  const parsed = form.safeParse({
    name: cells.name,
    user: { username: cells.username, email: cells.email },
    password: filled(cells, 'password'),
    timezone: code ?? zone,
    emails: several(cells.emails, /[,;\n]/).join('\n'),
    disable_notifications: disabled && yesOrNo(disabled),
  })
  if (!parsed.success) return { wrong: wrongIn(parsed.error) }
  return { row: parsed.data, names: [...new Set([parsed.data.user.username, parsed.data.user.email].map(folded))] }
}

const folded = (name: string) => name.toLowerCase()

type Holder = { username: string; email: string; client: string | null }

/** Who has one of these names already. */
function holdersOf(db: Queries, rows: NewClient[]): Promise<Holder[]> {
  const names = sql.param(rows.flatMap(({ user }) => [folded(user.username), folded(user.email)]))
  const isOne = (column: typeof users.username | typeof users.email) => sql`lower(${column}) = any(${names}::text[])`
  return db
    .select({ username: users.username, email: users.email, client: clients.name })
    .from(users)
    .leftJoin(clients, and(eq(clients.id, users.client_id), isNull(clients.deleted_at)))
    .where(and(or(isOne(users.username), isOne(users.email)), isNull(users.deleted_at)))
}

/** A client of the same name and email is there already; anybody else who has one of the names keeps it. */
async function fateOf({ name, user, password }: NewClient, holders: Holder[]): Promise<'fresh' | 'known' | Wrong[]> {
  const isNamed = (one: Holder, by: string) => [one.username, one.email].some((own) => folded(own) === folded(by))
  const isSame = (one: Holder) => folded(one.email) === folded(user.email) && folded(one.client ?? '') === folded(name)
  if (holders.some(isSame)) return 'known'
  const wrong: Wrong[] = []
  for (const field of ['username', 'email'] as const)
    if (holders.some((one) => isNamed(one, user[field]))) wrong.push({ field, says: takenLines[field] })
  if (password !== undefined && (await isCommon(password))) wrong.push({ field: 'password', says: tooCommon })
  return wrong.length > 0 ? wrong : 'fresh'
}

/** Those that somebody has changed, or that campaigns belong to. */
async function inUse(tx: Tx, ids: number[]): Promise<Map<number, string>> {
  const accounts = await tx
    .select({ id: users.id, client_id: users.client_id })
    .from(users)
    .where(inArray(users.client_id, ids))
  const changed = await changedSince(tx, kind, 'this client', ids)
  const held = accounts.map(({ id }) => id)
  const changedAccounts = await changedSince(tx, 'user', 'its account', held)
  const owners = await tx
    .selectDistinct({ id: campaigns.client_id })
    .from(campaigns)
    .where(inArray(campaigns.client_id, ids))
  return new Map([
    ...owners.map(({ id }): [number, string] => [id, 'It has campaigns by now']),
    ...accounts.flatMap(({ id, client_id }): [number, string][] => {
      const says = changedAccounts.get(id)
      return client_id !== null && says !== undefined ? [[client_id, says]] : []
    }),
    ...changed,
  ])
}
