/**
 * Tables with text from which no person is erased, and why. `test/personal-data.test.ts` fails for a table that is
 * neither here nor described.
 */
export const exemptTables: Record<string, string> = {
  ...exempt('Staff and client logins: they end with their account, not by a request', [
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
  ...exempt('Businesses that are clients, and what is agreed with them', [
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
  ...exempt('Websites, domains and listings of clients and of the agency', [
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
  ...exempt('How leads come in: names, keys and field mappings', ['custom_sources', 'callrail_reconciliation']),
  ...exempt('Hashed keys of mails, and what the browsers of clients sent with a rating', [
    'rating_keys',
    'rating_saves',
  ]),
  ...exempt('Mails to staff and clients; their content is encrypted and removed when they were sent', ['messages']),
  ...exempt('Addresses of receivers, chosen by staff', ['webhooks']),
  ...exempt('The erased people themselves, encrypted, so that a restored backup is erased from again', ['erasures']),
  ...exempt('An uploaded image: a key, a type and a size', ['files']),
  ...exempt('Numbers of rows and what became of them', ['import_rows']),
  ...exempt('Ships with the product', ['zip_codes']),
  ...exempt('A time zone', ['week_zone', 'lead_sums_zone']),
  ...exempt('Names of files', ['replayed_journals']),
}

function exempt(reason: string, tables: string[]) {
  return Object.fromEntries(tables.map((table) => [table, reason]))
}
