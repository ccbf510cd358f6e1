import { describeMentions } from '#core/erasure/personal-data.ts'
import type { ServerPart } from '#domains/server-part.ts'
import { createAccessExplanationHandlers } from './access-explanation/server/handlers.ts'
import { adminsHandlers } from './admins/server/handlers.ts'
import { emailChangeHandlers } from './email-change/server/handlers.ts'
import { apiKeysHandlers } from './keys/server/handlers.ts'
import { leadsHandlerAccessHandlers } from './leads-handlers/server/handlers.ts'
import { rightsChannel } from './live-channels.ts'
import { passwordResetHandlers } from './password-reset/server/handlers.ts'
import { passwordResetJob } from './password-reset/server/jobs.ts'
import { createPreferencesHandlers } from './preferences/server/handlers.ts'
import { createProfileHandlers } from './profile/server/handlers.ts'
import { requiredRolesHandlers, secondFactorHandlers } from './second-factor/server/handlers.ts'
import { secondStepHandlers } from './second-factor/server/second-step.ts'
import { seeAsHandlers } from './see-as/server/handlers.ts'
import { userSessionsHandlers } from './sessions/server/handlers.ts'
import { sessionCleanupJob } from './sessions/server/jobs.ts'
import { createSessionHandlers } from './sign-in/server/handlers.ts'
import { singleSignOnHandlers } from './single-sign-on/server/handlers.ts'
import { teamsTable } from './teams/schema.ts'
import { teamsHandlers } from './teams/server/handlers.ts'
import { toolLinksHandlers } from './tool-links/server/handlers.ts'
import { viewsTable } from './views/schema.ts'
import { createViewsHandlers } from './views/server/handlers.ts'

export const accessPart: ServerPart = {
  handlers: (declared) => [
    ...createSessionHandlers(declared),
    ...createPreferencesHandlers(declared),
    ...secondStepHandlers,
    ...singleSignOnHandlers,
    ...secondFactorHandlers,
    ...requiredRolesHandlers,
    ...adminsHandlers,
    ...leadsHandlerAccessHandlers,
    ...userSessionsHandlers,
    ...apiKeysHandlers,
    ...createProfileHandlers(declared),
    ...passwordResetHandlers,
    ...emailChangeHandlers,
    ...seeAsHandlers,
    ...createAccessExplanationHandlers(declared),
    ...toolLinksHandlers,
    ...teamsHandlers,
    ...createViewsHandlers(declared.savedViews),
  ],
  channels: [rightsChannel],
  jobs: [passwordResetJob, sessionCleanupJob],
  tables: ['admins'],
  // A saved search may contain a person's name, a note mention them.
  personalData: [
    describeMentions('Saved views', viewsTable, {
      columns: ['name', 'query'],
      kept: ['table', 'columns', 'sort', 'order', 'shared'],
    }),
    describeMentions('Notes of teams', teamsTable, { columns: ['note'], kept: ['name'], isVersioned: true }),
  ],
  withoutPeople: {
    'Staff and client logins: they end with their account, not by a request': [
      'api_keys',
      'passkeys',
      'password_links',
      'password_requests',
      'recovery_codes',
      'remote_tokens',
      'second_factor_roles',
      'sessions',
      'sign_in_challenges',
      'single_sign_on_identities',
      'sign_in_failures',
      'oidc_states',
      'passkey_challenges',
      'totp_secrets',
      'users',
      'default_views',
    ],
    'Links to the agency’s other tools': ['tool_links'],
  },
  encryptedColumns: [
    { table: 'remote_tokens', column: 'token_encrypted', id: 'user_id' },
    { table: 'totp_secrets', column: 'secret_encrypted', id: 'user_id' },
  ],
}
