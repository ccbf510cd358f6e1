DROP INDEX "mails_failed";--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "record_id" bigint;--> statement-breakpoint
CREATE INDEX "messages_record" ON "messages" USING btree ("kind","record_id","created_at") WHERE record_id is not null;--> statement-breakpoint
CREATE INDEX "messages_undelivered" ON "messages" USING btree ("created_at") WHERE record_id is not null and state in ('refused', 'uncertain');--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("id") WHERE state in ('refused', 'uncertain') or (state = 'sent' and error is not null);