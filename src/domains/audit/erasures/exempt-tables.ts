/**
 * Tables with text from which no person is erased, and why. `test/personal-data.test.ts` fails for a table that is
 * neither here nor described.
 */
export const exemptTables: Record<string, string> = {
  ...exemptFor('Staff and client logins: they end with their account, not by a request', [
    'api_keys',
    'passkeys',
    'password_links',
    'password_requests',
    'recovery_codes',
    'remote_tokens',
    'second_factor_roles',
    'sessions',
    'sign_in_challenges',
    'sign_in_failures',
    'oidc_states',
    'passkey_challenges',
    'totp_secrets',
    'user_watches',
    'users',
    'default_views',
    'teams',
    'google_accounts',
    'google_link_states',
  ]),
  ...exemptFor('Businesses that are clients, and what is agreed with them', [
    'agency',
    'campaign_areas',
    'campaign_categories',
    'campaign_terms',
    'client_reports',
    'clients',
    'report_schedules',
    'scheduled_reports',
    'statements',
    'tool_links',
  ]),
  ...exemptFor('Websites, domains and listings of clients and of the agency', [
    'campaign_gmb_logs',
    'campaign_gmbs',
    'client_sites',
    'google_categories',
    'google_edits',
    'google_locations',
    'ips',
    'network_categories',
    'network_sites',
    'outgoing_links',
    'redirect_domains',
    'redirect_tasks',
    'registrations',
    'spoken_hosts',
  ]),
  ...exemptFor('How leads come in: names, keys and field mappings', ['custom_sources', 'callrail_reconciliation']),
  ...exemptFor('Hashed keys of mails, and what the browsers of clients sent with a rating', [
    'rating_keys',
    'rating_saves',
  ]),
  ...exemptFor('Mails to staff and clients; their content is encrypted and removed when they were sent', ['messages']),
  ...exemptFor('Addresses of receivers, chosen by staff', ['webhooks']),
  ...exemptFor('The erased people themselves, encrypted, so that a restored backup is erased from again', ['erasures']),
  ...exemptFor('An uploaded image: a key, a type and a size', ['files']),
  ...exemptFor('Numbers of rows and what became of them', ['import_rows']),
  ...exemptFor('Ships with the product', ['zip_codes']),
  ...exemptFor('A time zone', ['week_zone', 'lead_sums_zone']),
  ...exemptFor('Names of files', ['replayed_journals']),
}

function exemptFor(reason: string, tables: string[]) {
  return Object.fromEntries(tables.map((table) => [table, reason]))
}
