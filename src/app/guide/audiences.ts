import type { AccessRule } from '#contract/allow.ts'
import { adminsContract, leadsHandlersContract, userSessionsContract } from '#domains/access/contract.ts'
import { passwordResetContract } from '#domains/access/password-reset/contract.ts'
import { requiredRolesContract } from '#domains/access/second-factor/contract.ts'
import { seeAsContract } from '#domains/access/see-as/contract.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { teamsContract } from '#domains/access/teams/contract.ts'
import { toolLinksContract } from '#domains/access/tool-links/contract.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { disputesContract } from '#domains/billing/disputes/contract.ts'
import { statementsContract } from '#domains/billing/statements/contract.ts'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { campaignStatesContract } from '#domains/campaigns/state/contract.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { connectionsContract } from '#domains/connections/contract.ts'
import { importsContract } from '#domains/imports/contract.ts'
import { insightsContract } from '#domains/insights/contract.ts'
import { getReadableFields, leadsContract } from '#domains/leads/contract.ts'
import { leadFormContract } from '#domains/leads/form/contract.ts'
import { leadHistoryContract } from '#domains/leads/history/contract.ts'
import { leadMailsContract } from '#domains/leads/mail/contract.ts'
import { relatedLeadsContract } from '#domains/leads/related/contract.ts'
import { leadSourcesContract } from '#domains/leads/sources/contract.ts'
import { spamContract } from '#domains/leads/spam/contract.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { googleLocationsContract } from '#domains/listings/google/contract.ts'
import { leadChartContract } from '#domains/reports/chart/contract.ts'
import { clientReportsContract } from '#domains/reports/client-reports/contract.ts'
import { signalsContract } from '#domains/signals/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { networkSitesContract } from '#domains/sites/network/contract.ts'
import { redirectDomainsContract } from '#domains/sites/redirects/contract.ts'
import { webhooksContract } from '#domains/webhooks/contract.ts'

type AudiencePredicate = (me: CurrentUserDto) => boolean

const roles: Record<string, AudiencePredicate> = {
  staff: (me) => me.isAdmin,
  client: (me) => me.isCustomer,
  handler: (me) => !me.isAdmin && !me.isCustomer,
  staffWithTags: (me) => me.isAdmin && getReadableFields(me).has('tags'),
  /** A client's menu has no Home. */
  withoutSignals: (me) => !me.isCustomer && !signalsContract.list.allow(me),
}

const contracts: Record<string, Record<string, { allow: AccessRule }>> = {
  activityItems: activityItemsContract,
  admins: adminsContract,
  campaignCategories: campaignCategoriesContract,
  campaigns: campaignsContract,
  campaignStates: campaignStatesContract,
  campaignTerms: termsContract,
  clientReports: clientReportsContract,
  clients: clientsContract,
  connections: connectionsContract,
  clientSites: clientSitesContract,
  disputes: disputesContract,
  gmbs: gmbsContract,
  googleLocations: googleLocationsContract,
  imports: importsContract,
  insights: insightsContract,
  leadChart: leadChartContract,
  leadForm: leadFormContract,
  leadHistory: leadHistoryContract,
  leadMails: leadMailsContract,
  leads: leadsContract,
  leadSources: leadSourcesContract,
  leadsHandlers: leadsHandlersContract,
  networkSites: networkSitesContract,
  passwordReset: passwordResetContract,
  redirectDomains: redirectDomainsContract,
  requiredRoles: requiredRolesContract,
  relatedLeads: relatedLeadsContract,
  seeAs: seeAsContract,
  signals: signalsContract,
  spam: spamContract,
  statements: statementsContract,
  teams: teamsContract,
  toolLinks: toolLinksContract,
  userSessions: userSessionsContract,
  webhooks: webhooksContract,
}

/** Returns the access rule of an endpoint, named like `campaigns.update`. Throws if there is no such endpoint. */
export function getCallRule(name: string): AccessRule {
  const [contract = '', call = ''] = name.split('.')
  const rule = contracts[contract]?.[call]?.allow
  if (!rule) throw new Error(`The guide names a role or call that does not exist: ${name}`)
  return rule
}

/** Returns whether this person is in one of these audiences: a role, or the people who may call an endpoint. */
export const isInAudience = (me: CurrentUserDto, names: readonly string[]): boolean =>
  names.some((name) => (roles[name] ?? getCallRule(name))(me))
