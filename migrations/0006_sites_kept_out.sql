ALTER TABLE "client_sites" ADD COLUMN "blocked_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "network_sites" ADD COLUMN "blocked_since" timestamp (3) with time zone;