DROP INDEX "audit_at";--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at","id");