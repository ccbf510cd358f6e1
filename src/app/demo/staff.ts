import { handlerFlags, type PermissionFlag, permissionFlags } from '#contract/allow.ts'
import type { userCampaignsTable, usersTable } from '#domains/access/schema.ts'
import { type DemoAgency, managerNames } from './agency.ts'
import { pickFullName } from './people.ts'
import type { SeededRandom } from './random.ts'
import type { CampaignTeam } from './verdicts.ts'

export type DemoUser = (typeof usersTable)['$inferInsert'] & { id: number }

/**
 * All accounts: two heads of the agency, its managers, its leads handlers, and an account for each client.
 * Their ids follow `lastId`, because the first start has already created an account.
 */
export function createDemoUsers(
  dice: SeededRandom,
  { clients, contracts }: DemoAgency,
  password_hash: string,
  lastId: number,
) {
  const people: DemoUser[] = []
  const join = (
    username: string,
    email: string,
    role: DemoUser['role'],
    permissions: PermissionFlag[],
    client_id: number | null,
  ) => {
    const user = { id: lastId + people.length + 1, username, email, role, permissions, client_id, password_hash }
    people.push(user)
    return user
  }
  for (const username of ['olivia', 'felix']) join(username, `${username}@leadline.example`, 'super_admin', [], null)
  const admins = managerNames.map((name, index) => {
    const username = name.split(' ')[0]!.toLowerCase()
    return join(
      username,
      `${username}@leadline.example`,
      'admin',
      index === 3 ? permissionFlags.slice(0, 7) : [...permissionFlags],
      null,
    )
  })
  const handlers = ['harper', 'jamie', 'noor'].map((username, index) =>
    join(username, `${username}@leadline.example`, 'leads_handler', handlerFlags.slice(0, index === 2 ? 2 : 4), null),
  )
  const customers = clients.map(({ row, slug }) => {
    const owner = pickFullName(dice).toLowerCase().replace(' ', '.')
    return join(slug, `${owner}@${slug}.example`, 'customer', [], row.id)
  })
  const ticked: (typeof userCampaignsTable)['$inferInsert'][] = []
  const teams = new Map<number, CampaignTeam>()
  for (const { row, client } of contracts) {
    const manager = admins[managerNames.indexOf(row.manager ?? '')]!
    const handler = handlers[row.id % handlers.length]!
    const stand_in = admins[(admins.indexOf(manager) + 1) % admins.length]!
    const customer = customers[client.row.id - 1]!
    const staff = [manager, manager, handler]
    for (const { id } of [manager, handler, stand_in]) ticked.push({ user_id: id, campaign_id: row.id })
    teams.set(row.id, { staff, customer, recipients: [customer.email, ...(client.row.emails ?? [])] })
  }
  return { people, ticked, teams }
}
