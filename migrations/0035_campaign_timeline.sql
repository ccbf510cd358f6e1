DROP INDEX "client_site_logs_site";--> statement-breakpoint
CREATE INDEX "audit_timeline" ON "audit" USING btree ("kind","row_id","at","id") WHERE kind <> 'lead';--> statement-breakpoint
CREATE INDEX "happenings_events" ON "happenings" USING btree ("campaign_id","at","id","kind") WHERE (kind in ('registration', 'site_ip', 'site_certificate', 'google_location', 'link_found', 'link_lost')
  and (kind = 'link_found' or before is not null) and not (kind = 'site_ip' and before ->> 'ip' is null));--> statement-breakpoint
CREATE INDEX "mails_campaign" ON "mails" USING btree ("campaign_id","id");--> statement-breakpoint
CREATE INDEX "blacklist_keywords_created" ON "blacklist_keywords" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "outgoing_links_lost" ON "outgoing_links" USING btree ("host","lost_at","id") WHERE lost_at is not null;--> statement-breakpoint
CREATE INDEX "client_site_logs_site" ON "client_site_logs" USING btree ("site_id","created_at","id","status");