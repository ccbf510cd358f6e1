DROP INDEX "clients_by_name";--> statement-breakpoint
DROP INDEX "campaign_gmbs_by_title";--> statement-breakpoint
DROP INDEX "google_locations_by_title";--> statement-breakpoint
CREATE INDEX "clients_by_name" ON "clients" USING btree (fold_text("name"),"id") WHERE "clients"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "campaign_gmbs_by_title" ON "campaign_gmbs" USING btree (fold_text("title"),"id") WHERE "campaign_gmbs"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "google_locations_by_title" ON "google_locations" USING btree (fold_text("title"),"id");