import { type Command, Option } from 'commander'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { email, required } from '#contract/fields.ts'
import type { House } from '#core/app-context.ts'
import type { Tx } from '#core/db/db.ts'
import { conflict, fieldErrors, Refusal } from '#core/http/errors.ts'
import { hashPassword } from '#core/secrets/passwords.ts'
import { randomToken } from '#core/secrets/secrets.ts'
import { type Role, users } from '#domains/access/schema.ts'
import { changeAccount, openAccount, unlessTaken } from '#domains/access/server/accounts.ts'
import { leaveASuperAdmin, lockSuperAdmins } from '#domains/access/server/can-assign.ts'
import { say, withHouse } from './run-command.ts'

/** The program itself: the trail shows changes made on the command line without a person. */
const operator = { me: null }
const newUser = z.object({ username: required('Please name the user', 100), email: email() })

export function userCommands(user: Command): void {
  user.description('who may sign in')
  user
    .command('add <username> <email>')
    .description('make an account and print its password')
    .addOption(
      new Option('--role <role>', 'what they are').choices(['super-admin', 'admin', 'leads-handler']).default('admin'),
    )
    .action(
      (username: string, address: string, { role }: { role: string }) =>
        withHouse((house) => add(house, username, address, role.replace('-', '_') as Role)), // commander took only the choices
    )
  user
    .command('grant-super <name>')
    .description('make an admin or a leads handler a super admin')
    .action((name: string) => withHouse((house) => grantSuper(house, name)))
  user
    .command('demote-super <name>')
    .description('make a super admin an admin; not the last active one')
    .action((name: string) => withHouse((house) => demoteSuper(house, name)))
  user
    .command('reset-password <name>')
    .description('print a new password and sign the account out everywhere')
    .action((name: string) => withHouse((house) => resetPassword(house, name)))
  user
    .command('list')
    .description('print every account')
    .action(() => withHouse(list))
}

async function add({ db }: House, username: string, address: string, role: Role) {
  const parsed = newUser.safeParse({ username, email: address })
  if (!parsed.success) throw new Refusal(422, Object.values(fieldErrors(parsed.error)).flat().join('. '))
  const password = randomToken(128)
  const password_hash = await hashPassword(password)
  await unlessTaken(db.transaction((tx) => openAccount(tx, operator, { ...parsed.data, role, password_hash })))
  say(`Made the ${words[role]} ${parsed.data.username}`)
  say(`Password: ${password}`)
  if (role !== 'super_admin') say('No page and no campaign is ticked yet: a super admin does that')
}

async function grantSuper({ db }: House, name: string) {
  await db.transaction(async (tx) => {
    const user = await locked(tx, name)
    if (user.role === 'customer') throw conflict(`${user.username} is the account of a client`)
    if (user.role === 'super_admin') throw conflict(`${user.username} is a super admin already`)
    if (!user.is_active) throw conflict(`${user.username} is not active`)
    await changeAccount(tx, operator, user.id, { role: 'super_admin' })
  })
  say(`${name} is a super admin now and has to sign in again`)
}

async function demoteSuper({ db }: House, name: string) {
  await db.transaction(async (tx) => {
    const active = await lockSuperAdmins(tx)
    const user = await locked(tx, name)
    if (user.role !== 'super_admin') throw conflict(`${user.username} is no super admin`)
    leaveASuperAdmin(active, user.id)
    await changeAccount(tx, operator, user.id, { role: 'admin' })
  })
  say(`${name} is an admin now, with the pages and campaigns ticked for them, and has to sign in again`)
}

async function resetPassword({ db }: House, name: string) {
  const password = randomToken(128)
  const password_hash = await hashPassword(password)
  await db.transaction(async (tx) => {
    const user = await locked(tx, name)
    if (user.role === 'customer')
      throw conflict(`${user.username} is the account of a client, which has no password here`)
    await changeAccount(tx, operator, user.id, { password_hash })
  })
  say(`New password of ${name}: ${password}`)
}

async function list({ db }: House) {
  const found = await db.select().from(users).where(isNull(users.deleted_at)).orderBy(users.role, users.username)
  const rows = found.map((user) => [
    user.username,
    user.email,
    words[user.role],
    user.is_active ? 'active' : 'not active',
  ])
  const width = (column: number) => Math.max(0, ...rows.map((row) => row[column]!.length))
  for (const row of rows)
    say(
      row
        .map((cell, column) => cell.padEnd(width(column)))
        .join('  ')
        .trimEnd(),
    )
  if (rows.length === 0) say('Nobody yet')
}

const words: Record<Role, string> = {
  super_admin: 'super admin',
  admin: 'admin',
  leads_handler: 'leads handler',
  customer: 'customer',
}

/** The account of that username or email, locked until the change is through. */
async function locked(tx: Tx, name: string) {
  const wanted = name.trim().toLowerCase()
  const [user] = await tx
    .select()
    .from(users)
    .where(
      and(
        or(eq(sql`lower(${users.username})`, wanted), eq(sql`lower(${users.email})`, wanted)),
        isNull(users.deleted_at),
      ),
    )
    .orderBy(sql`lower(${users.username}) = ${wanted} desc`) // a username wins over another's email, as at sign-in
    .limit(1)
    .for('update')
  if (!user) throw new Refusal(404, `There is no user ${name}`)
  return user
}
