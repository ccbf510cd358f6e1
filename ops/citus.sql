-- Spreads leads and what hangs on them over the machines of a Citus cluster, by campaign. Once, on the coordinator, with every
-- Leadline process stopped, after the extension is there and the machines are known to it; docs/scaling.md says when and how.
-- It has been run on functions that refuse what Citus refuses, not on Citus itself: try it on a restored backup first.
--
--   psql -v ON_ERROR_STOP=1 "$DATABASE_SESSION_URL" -f ops/citus.sql
BEGIN;

-- What is here for a version that knew nothing of all this, and may not write any more.
DROP TRIGGER leads_live ON leads;
DROP TRIGGER mails_live ON mails;
DROP TRIGGER rating_keys_live ON rating_keys;
DROP TRIGGER rating_saves_live ON rating_saves;

-- Changed rights are told by triggers, which tables of a cluster have none of: open event streams then read them every half minute.
DROP TRIGGER users_rights ON users;
DROP TRIGGER user_campaigns_rights ON user_campaigns;
DROP TRIGGER sessions_rights ON sessions;
DROP TRIGGER campaigns_rights ON campaigns;

-- Weeks are kept by triggers, and spread tables have none: chart and table count the leads themselves, each machine its own.
DROP TRIGGER leads_added ON leads;
DROP TRIGGER leads_changed ON leads;
DROP TRIGGER leads_taken ON leads;
TRUNCATE week_zone, counted_weeks, counted_changes;

-- A provider's number is unique on one machine only; src/domains/leads/model/provider-ids.ts sees to it across them.
DROP INDEX leads_provider;
CREATE UNIQUE INDEX leads_provider ON leads (lead_s, lead_id, origin, campaign_id);

-- They return below, without what an overwritten campaign would take along: a spread table's is never overwritten.
ALTER TABLE rating_saves DROP CONSTRAINT rating_saves_key_id_campaign_id_rating_keys_id_campaign_id_fk;
ALTER TABLE rating_saves DROP CONSTRAINT rating_saves_lead_id_campaign_id_leads_id_campaign_id_fk;
ALTER TABLE rating_keys DROP CONSTRAINT rating_keys_mail_id_campaign_id_mails_id_campaign_id_fk;
ALTER TABLE rating_keys DROP CONSTRAINT rating_keys_lead_id_campaign_id_leads_id_campaign_id_fk;
ALTER TABLE mails DROP CONSTRAINT mails_lead_id_campaign_id_leads_id_campaign_id_fk;

-- What leads are joined to, or refer to, is on every machine. Everything else stays on the coordinator.
SELECT create_reference_table('clients');
SELECT create_reference_table('users');
SELECT create_reference_table('campaigns');
SELECT create_reference_table('client_sites');

SELECT create_distributed_table('leads', 'campaign_id');
SELECT create_distributed_table('mails', 'campaign_id', colocate_with => 'leads');
SELECT create_distributed_table('rating_keys', 'campaign_id', colocate_with => 'leads');
SELECT create_distributed_table('rating_saves', 'campaign_id', colocate_with => 'leads');

ALTER TABLE mails ADD CONSTRAINT mails_lead_id_campaign_id_leads_id_campaign_id_fk
  FOREIGN KEY (lead_id, campaign_id) REFERENCES leads (id, campaign_id) ON DELETE CASCADE;
ALTER TABLE rating_keys ADD CONSTRAINT rating_keys_lead_id_campaign_id_leads_id_campaign_id_fk
  FOREIGN KEY (lead_id, campaign_id) REFERENCES leads (id, campaign_id) ON DELETE CASCADE;
ALTER TABLE rating_keys ADD CONSTRAINT rating_keys_mail_id_campaign_id_mails_id_campaign_id_fk
  FOREIGN KEY (mail_id, campaign_id) REFERENCES mails (id, campaign_id) ON DELETE CASCADE;
ALTER TABLE rating_saves ADD CONSTRAINT rating_saves_lead_id_campaign_id_leads_id_campaign_id_fk
  FOREIGN KEY (lead_id, campaign_id) REFERENCES leads (id, campaign_id) ON DELETE CASCADE;
ALTER TABLE rating_saves ADD CONSTRAINT rating_saves_key_id_campaign_id_rating_keys_id_campaign_id_fk
  FOREIGN KEY (key_id, campaign_id) REFERENCES rating_keys (id, campaign_id) ON DELETE CASCADE;

-- A transaction may look at the leads of all machines and then write what they refer to (an import that is undone does): each machine
-- is then asked over one connection, not over several that would not see each other.
DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET citus.multi_shard_modify_mode TO ''sequential''', current_database());
END $$;

COMMIT;
