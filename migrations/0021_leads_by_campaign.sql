-- Leads and what hangs on them carry their campaign in every key, so that they can be spread over machines by it (docs/scaling.md).
-- A lead without a campaign lives at 0, which is no campaign's id. What is filled has no index meanwhile: millions of rows change.
ALTER TABLE "mails" DROP CONSTRAINT "mails_lead_id_leads_id_fk";--> statement-breakpoint
ALTER TABLE "leads" DROP CONSTRAINT "leads_campaign_id_campaigns_id_fk";--> statement-breakpoint
ALTER TABLE "rating_keys" DROP CONSTRAINT "rating_keys_lead_id_leads_id_fk";--> statement-breakpoint
ALTER TABLE "rating_keys" DROP CONSTRAINT "rating_keys_mail_id_mails_id_fk";--> statement-breakpoint
ALTER TABLE "rating_saves" DROP CONSTRAINT "rating_saves_key_id_rating_keys_id_fk";--> statement-breakpoint
ALTER TABLE "rating_saves" DROP CONSTRAINT "rating_saves_lead_id_leads_id_fk";--> statement-breakpoint
DROP INDEX "rating_keys_hash";--> statement-breakpoint
CREATE OR REPLACE FUNCTION "is_counted"(campaign_id int, archived boolean, confirmed boolean, tags text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT campaign_id <> 0 AND NOT archived AND (confirmed OR tags && array['Missed Call', 'Auto Missed Call'])
$$;--> statement-breakpoint
UPDATE "leads" SET "campaign_id" = 0 WHERE "campaign_id" IS NULL;--> statement-breakpoint
ALTER TABLE "leads" ALTER COLUMN "campaign_id" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "leads" ALTER COLUMN "campaign_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" DROP CONSTRAINT "leads_pkey";--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_id_campaign_id_pk" PRIMARY KEY("id","campaign_id");--> statement-breakpoint
ALTER TABLE "mails" DROP CONSTRAINT "mails_pkey";--> statement-breakpoint
DROP INDEX "mails_lead";--> statement-breakpoint
DROP INDEX "mails_open";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "campaign_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "mails" SET "campaign_id" = "leads"."campaign_id" FROM "leads" WHERE "leads"."id" = "mails"."lead_id";--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_id_campaign_id_pk" PRIMARY KEY("id","campaign_id");--> statement-breakpoint
CREATE INDEX "mails_lead" ON "mails" USING btree ("lead_id","id");--> statement-breakpoint
CREATE INDEX "mails_open" ON "mails" USING btree ("state") WHERE state in ('queued', 'handing');--> statement-breakpoint
ALTER TABLE "rating_keys" DROP CONSTRAINT "rating_keys_pkey";--> statement-breakpoint
DROP INDEX "rating_keys_lead";--> statement-breakpoint
ALTER TABLE "rating_keys" ADD COLUMN "campaign_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "rating_keys" SET "campaign_id" = "leads"."campaign_id" FROM "leads" WHERE "leads"."id" = "rating_keys"."lead_id";--> statement-breakpoint
ALTER TABLE "rating_keys" ADD CONSTRAINT "rating_keys_id_campaign_id_pk" PRIMARY KEY("id","campaign_id");--> statement-breakpoint
CREATE INDEX "rating_keys_lead" ON "rating_keys" USING btree ("lead_id");--> statement-breakpoint
CREATE UNIQUE INDEX "rating_keys_hash" ON "rating_keys" USING btree ("key_hash","campaign_id");--> statement-breakpoint
ALTER TABLE "rating_saves" DROP CONSTRAINT "rating_saves_pkey";--> statement-breakpoint
DROP INDEX "rating_saves_key";--> statement-breakpoint
DROP INDEX "rating_saves_lead";--> statement-breakpoint
ALTER TABLE "rating_saves" ADD COLUMN "campaign_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "rating_saves" SET "campaign_id" = "leads"."campaign_id" FROM "leads" WHERE "leads"."id" = "rating_saves"."lead_id";--> statement-breakpoint
ALTER TABLE "rating_saves" ADD CONSTRAINT "rating_saves_id_campaign_id_pk" PRIMARY KEY("id","campaign_id");--> statement-breakpoint
CREATE INDEX "rating_saves_key" ON "rating_saves" USING btree ("key_id","at");--> statement-breakpoint
CREATE INDEX "rating_saves_lead" ON "rating_saves" USING btree ("lead_id");--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_lead_id_campaign_id_leads_id_campaign_id_fk" FOREIGN KEY ("lead_id","campaign_id") REFERENCES "public"."leads"("id","campaign_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "rating_keys" ADD CONSTRAINT "rating_keys_lead_id_campaign_id_leads_id_campaign_id_fk" FOREIGN KEY ("lead_id","campaign_id") REFERENCES "public"."leads"("id","campaign_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "rating_keys" ADD CONSTRAINT "rating_keys_mail_id_campaign_id_mails_id_campaign_id_fk" FOREIGN KEY ("mail_id","campaign_id") REFERENCES "public"."mails"("id","campaign_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "rating_saves" ADD CONSTRAINT "rating_saves_lead_id_campaign_id_leads_id_campaign_id_fk" FOREIGN KEY ("lead_id","campaign_id") REFERENCES "public"."leads"("id","campaign_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "rating_saves" ADD CONSTRAINT "rating_saves_key_id_campaign_id_rating_keys_id_campaign_id_fk" FOREIGN KEY ("key_id","campaign_id") REFERENCES "public"."rating_keys"("id","campaign_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
-- The version before this one knows nothing of all that, and may still write while this one starts: null for a lead without a
-- campaign, and nothing of the campaign for what hangs on a lead. What is here for it alone is taken away where leads are spread.
CREATE FUNCTION "lives_nowhere"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.campaign_id := 0; RETURN NEW; END $$;--> statement-breakpoint
CREATE TRIGGER "leads_live" BEFORE INSERT OR UPDATE ON "leads" FOR EACH ROW WHEN (NEW.campaign_id IS NULL) EXECUTE FUNCTION lives_nowhere();--> statement-breakpoint
CREATE FUNCTION "lives_with_its_lead"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT campaign_id INTO NEW.campaign_id FROM leads WHERE id = NEW.lead_id;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "mails_live" BEFORE INSERT ON "mails" FOR EACH ROW WHEN (NEW.campaign_id = 0) EXECUTE FUNCTION lives_with_its_lead();--> statement-breakpoint
CREATE TRIGGER "rating_keys_live" BEFORE INSERT ON "rating_keys" FOR EACH ROW WHEN (NEW.campaign_id = 0) EXECUTE FUNCTION lives_with_its_lead();--> statement-breakpoint
CREATE TRIGGER "rating_saves_live" BEFORE INSERT ON "rating_saves" FOR EACH ROW WHEN (NEW.campaign_id = 0) EXECUTE FUNCTION lives_with_its_lead();--> statement-breakpoint
-- The newest leads of each client site that is looked at, through each provider: one look into an index for each, one after the
-- other, because a query that asks anew for each row of a table that every machine has cannot be spread over machines.
CREATE FUNCTION "newest_leads"(providers text[], most int) RETURNS TABLE (clientsite_id int, provider text, first timestamptz, last timestamptz, count int) LANGUAGE plpgsql STABLE AS $$
DECLARE
  site record;
BEGIN
  FOR site IN
    SELECT s.id, known.provider FROM client_sites s JOIN campaigns c ON c.id = s.campaign_id CROSS JOIN unnest(providers) known (provider)
    WHERE s.deleted_at IS NULL AND NOT c.archived
  LOOP
    RETURN QUERY SELECT site.id, site.provider, min(newest.at), max(newest.at), count(*)::int FROM (
      SELECT l.occurred_at AS at FROM leads l
      WHERE l.clientsite_id = site.id AND l.lead_s = site.provider AND l.occurred_at <= now()
      ORDER BY l.occurred_at DESC LIMIT most
    ) newest HAVING count(*) > 0;
  END LOOP;
END $$;
