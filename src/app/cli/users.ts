import { isIP } from 'node:net'
import { type Command, Option } from 'commander'
import { isNull } from 'drizzle-orm'
import { z } from 'zod'
import { emailField, requiredText } from '#contract/fields.ts'
import type { Tx } from '#core/db/db.ts'
import { conflictError, HttpError, toFieldErrors } from '#core/http/errors.ts'
import { hashPassword } from '#core/secrets/passwords.ts'
import { randomToken } from '#core/secrets/secrets.ts'
import { type UserRole, usersTable } from '#domains/access/schema.ts'
import { removeSecondFactors } from '#domains/access/second-factor/server/remove-factors.ts'
import { isNamed, usernameFirst } from '#domains/access/server/account-names.ts'
import { createAccount, mapNameConflict, updateAccount } from '#domains/access/server/accounts.ts'
import { assertSuperAdminRemains, lockSuperAdmins } from '#domains/access/server/can-assign.ts'
import { revokeOtherAccess } from '#domains/access/server/session-tokens.ts'
import { clearFailuresFrom, clearFailuresOf } from '#domains/access/sign-in/server/sign-in-throttle.ts'
import type { AppContext } from '#domains/app-context.ts'
import { printLine, withAppContext } from './run-command.ts'

/** The program itself: the audit log shows changes from the command line without a person. */
const operatorActor = { me: null }
const newUserSchema = z.object({ username: requiredText('Please name the user', 100), email: emailField })

export function defineUserCommands(user: Command): void {
  user.description('manage the accounts that may sign in')
  user
    .command('add <username> <email>')
    .description('create an account and print its password')
    .addOption(
      new Option('--role <role>', 'their role').choices(['super-admin', 'admin', 'leads-handler']).default('admin'),
    )
    .action(
      (username: string, address: string, { role }: { role: string }) =>
        withAppContext((context) => addUser(context, username, address, role.replace('-', '_') as UserRole)), // commander allows only the choices
    )
  user
    .command('grant-super <name>')
    .description('make an admin or a leads handler a super admin')
    .action((name: string) => withAppContext((context) => grantSuperAdmin(context, name)))
  user
    .command('demote-super <name>')
    .description('make a super admin an admin; not the last active one')
    .action((name: string) => withAppContext((context) => demoteSuperAdmin(context, name)))
  user
    .command('reset-password <name>')
    .description('print a new password and sign the account out everywhere')
    .action((name: string) => withAppContext((context) => resetPassword(context, name)))
  user
    .command('email <name> <address>')
    .description('change the email of an account at once')
    .action((name: string, address: string) => withAppContext((context) => changeEmail(context, name, address)))
  user
    .command('reset-second-factor <name>')
    .description('remove the authenticator app, passkeys and recovery codes of an account, and sign it out everywhere')
    .action((name: string) => withAppContext((context) => resetSecondFactor(context, name)))
  user
    .command('unlock <name>')
    .description('lift a lockout after failed sign-ins, of an account or an IP address')
    .action((name: string) => withAppContext((context) => unlock(context, name)))
  user
    .command('list')
    .description('print every account')
    .action(() => withAppContext(listUsers))
}

async function addUser({ db }: AppContext, username: string, address: string, role: UserRole) {
  const parsed = newUserSchema.safeParse({ username, email: address })
  if (!parsed.success) throw new HttpError(422, Object.values(toFieldErrors(parsed.error)).flat().join('. '))
  const password = randomToken(128)
  const password_hash = await hashPassword(password)
  await mapNameConflict(
    db.transaction((tx) => createAccount(tx, operatorActor, { ...parsed.data, role, password_hash })),
  )
  printLine(`Created ${roleNames[role]} ${parsed.data.username}`)
  printLine(`Password: ${password}`)
  if (role !== 'super_admin') printLine('No pages or campaigns are ticked yet: a super admin can do that')
}

async function grantSuperAdmin({ db }: AppContext, name: string) {
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, name)
    if (user.role === 'customer') throw conflictError(`${user.username} is the account of a client`)
    if (user.role === 'super_admin') throw conflictError(`${user.username} is a super admin already`)
    if (!user.is_active) throw conflictError(`${user.username} is not active`)
    await updateAccount(tx, operatorActor, user.id, { role: 'super_admin' })
  })
  printLine(`${name} is now a super admin and has to sign in again`)
}

async function demoteSuperAdmin({ db }: AppContext, name: string) {
  await db.transaction(async (tx) => {
    const active = await lockSuperAdmins(tx)
    const user = await lockUser(tx, name)
    if (user.role !== 'super_admin') throw conflictError(`${user.username} is no super admin`)
    assertSuperAdminRemains(active, user.id)
    await updateAccount(tx, operatorActor, user.id, { role: 'admin' })
  })
  printLine(`${name} is now an admin, with the pages and campaigns ticked for them, and has to sign in again`)
}

async function resetPassword({ db }: AppContext, name: string) {
  const password = randomToken(128)
  const password_hash = await hashPassword(password)
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, name)
    if (user.role === 'customer')
      throw conflictError(`${user.username} is the account of a client: set its password on the Clients page`)
    await updateAccount(tx, operatorActor, user.id, { password_hash })
  })
  printLine(`New password for ${name}: ${password}`)
}

async function changeEmail({ db }: AppContext, name: string, address: string) {
  const parsed = emailField.safeParse(address)
  if (!parsed.success) throw new HttpError(422, parsed.error.issues[0]!.message)
  await mapNameConflict(
    db.transaction(async (tx) => {
      const user = await lockUser(tx, name)
      await updateAccount(tx, operatorActor, user.id, { email: parsed.data })
    }),
  )
  printLine(`The email of ${name} is now ${parsed.data}`)
}

async function resetSecondFactor({ db }: AppContext, name: string) {
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, name)
    await removeSecondFactors(tx, operatorActor, user.id)
    await revokeOtherAccess(tx, user.id)
  })
  printLine(`${name} no longer has a second factor and has to sign in again`)
}

async function unlock({ db }: AppContext, name: string) {
  if (isIP(name)) await clearFailuresFrom(db, name)
  else await db.transaction(async (tx) => clearFailuresOf(tx, await lockUser(tx, name)))
  printLine(`${name} may sign in again`)
}

async function listUsers({ db }: AppContext) {
  const found = await db
    .select()
    .from(usersTable)
    .where(isNull(usersTable.deleted_at))
    .orderBy(usersTable.role, usersTable.username)
  const rows = found.map((user) => [
    user.username,
    user.email,
    roleNames[user.role],
    user.is_active ? 'active' : 'not active',
  ])
  const width = (column: number) => Math.max(0, ...rows.map((row) => row[column]!.length))
  for (const row of rows)
    printLine(
      row
        .map((cell, column) => cell.padEnd(width(column)))
        .join('  ')
        .trimEnd(),
    )
  if (rows.length === 0) printLine('No accounts yet')
}

const roleNames: Record<UserRole, string> = {
  super_admin: 'super admin',
  admin: 'admin',
  leads_handler: 'leads handler',
  customer: 'customer',
}

/** Returns the account with that username or email, locked until the transaction ends. */
async function lockUser(tx: Tx, name: string) {
  const wanted = name.trim()
  const [user] = await tx
    .select()
    .from(usersTable)
    .where(isNamed(wanted))
    .orderBy(usernameFirst(wanted))
    .limit(1)
    .for('update')
  if (!user) throw new HttpError(404, `There is no user ${name}`)
  return user
}
