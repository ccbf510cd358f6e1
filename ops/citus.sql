-- Distributes leads and the tables that refer to them over the machines of a Citus cluster, by campaign. Run it once, on the
-- coordinator, with every Leadline process stopped, after the extension is installed and knows the machines; docs/scaling.md
-- says when and how. Needs psql: Citus refuses it as one string of several statements. The only way back is to restore a backup
-- made before: tables with identity columns cannot be undistributed.
--
--   psql -v ON_ERROR_STOP=1 "$DATABASE_SESSION_URL" -f ops/citus.sql
BEGIN;

-- Twice the number of workers: every list of all campaigns asks each shard. Change it for more than two.
SET citus.shard_count = 4;

-- Citus also converts tables that foreign keys lead to, and restarts the sequences of tables that it changes. Compared below, without
-- the counters of Citus itself, which move.
CREATE TEMP TABLE counters_before AS
  SELECT schemaname, sequencename, last_value FROM pg_sequences WHERE schemaname <> 'pg_catalog';

-- Triggers for writes from outside the program, which are not supported any more. The program counts its own writes, on the coordinator.
DROP TRIGGER leads_added_elsewhere ON leads;
DROP TRIGGER leads_changed_elsewhere ON leads;
DROP TRIGGER leads_taken_elsewhere ON leads;

-- The only keys that lead out of the distributed tables. Sites and users are never removed while leads or emails refer to them.
ALTER TABLE leads DROP CONSTRAINT leads_clientsite_id_client_sites_id_fk;
ALTER TABLE mails DROP CONSTRAINT mails_requested_by_users_id_fk;

-- The index makes a provider's id unique on one machine only; src/domains/leads/model/provider-ids.ts does so across machines.
DROP INDEX leads_provider;
CREATE UNIQUE INDEX leads_provider ON leads (lead_s, lead_id, origin, campaign_id);

-- Added again below, without ON UPDATE CASCADE: the campaign of a row in a distributed table never changes.
ALTER TABLE rating_saves DROP CONSTRAINT rating_saves_key_id_campaign_id_rating_keys_id_campaign_id_fk;
ALTER TABLE rating_saves DROP CONSTRAINT rating_saves_lead_id_campaign_id_leads_id_campaign_id_fk;
ALTER TABLE rating_keys DROP CONSTRAINT rating_keys_mail_id_campaign_id_mails_id_campaign_id_fk;
ALTER TABLE rating_keys DROP CONSTRAINT rating_keys_lead_id_campaign_id_leads_id_campaign_id_fk;
ALTER TABLE mails DROP CONSTRAINT mails_lead_id_campaign_id_leads_id_campaign_id_fk;

-- Rows are distributed without indexes, except those of the primary keys; the others are created again afterwards.
CREATE TEMP TABLE indexes_before AS
  SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
  WHERE indrelid IN ('leads'::regclass, 'mails'::regclass, 'rating_keys'::regclass, 'rating_saves'::regclass)
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid);
DO $$
DECLARE one record;
BEGIN
  FOR one IN SELECT name FROM indexes_before LOOP EXECUTE format('DROP INDEX %s', one.name); END LOOP;
END $$;

-- The trigger of a lead's search text is not supported either: the column is generated instead.
DROP TRIGGER leads_search_text ON leads;
ALTER TABLE leads DROP COLUMN search_text;
ALTER TABLE leads ADD COLUMN search_text text GENERATED ALWAYS AS
  (lead_search_text(lead_name, lead_email, lead_phone, phone_key, message, lead_location, company_name, notes, client_notes)) STORED;

-- Every other table stays on the coordinator: Citus sends the campaigns, clients and sites of a join to the machines.
SELECT create_distributed_table('leads', 'campaign_id');
SELECT create_distributed_table('mails', 'campaign_id', colocate_with => 'leads');
SELECT create_distributed_table('rating_keys', 'campaign_id', colocate_with => 'leads');
SELECT create_distributed_table('rating_saves', 'campaign_id', colocate_with => 'leads');

DO $$
DECLARE one record;
BEGIN
  FOR one IN SELECT definition FROM indexes_before LOOP EXECUTE one.definition; END LOOP;
END $$;

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

-- A transaction may read leads of all machines and then write rows that they refer to (undoing an import does). It uses one connection
-- per machine then, not several that would not see each other's changes.
DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET citus.multi_shard_modify_mode TO ''sequential''', current_database());
END $$;

DO $$
DECLARE changed text;
BEGIN
  SELECT string_agg(sequencename, ', ') INTO changed FROM counters_before before
    LEFT JOIN pg_sequences now USING (schemaname, sequencename) WHERE now.last_value IS DISTINCT FROM before.last_value;
  IF changed IS NOT NULL THEN RAISE EXCEPTION 'counters would start again: %', changed; END IF;
END $$;

COMMIT;

-- Removes the coordinator's own copies of the rows, which nothing reads any more.
SELECT truncate_local_data_after_distributing_table('leads');
ANALYZE leads, mails, rating_keys, rating_saves;
