DROP INDEX "statement_lines_named";--> statement-breakpoint
CREATE INDEX "statement_lines_lead" ON "statement_lines" USING btree ("lead_id") WHERE lead_id is not null;