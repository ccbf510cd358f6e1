DROP INDEX "mails_lead";--> statement-breakpoint
CREATE INDEX "mails_lead" ON "mails" USING btree ("lead_id","id");