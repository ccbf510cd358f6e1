CREATE TABLE "spoken_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_site_logs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "client_site_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"site_id" integer NOT NULL,
	"status" smallint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registrations" (
	"domain" text PRIMARY KEY NOT NULL,
	"registrar" text,
	"registrant" text,
	"registered_on" date,
	"expires_on" date,
	"nameservers" text[] DEFAULT '{}' NOT NULL,
	"told_by" text,
	"looked_up_at" timestamp (3) with time zone,
	"next_look_up_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"failures" smallint DEFAULT 0 NOT NULL,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "ips" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ips_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"ip" text NOT NULL,
	"reverse_ip" text,
	"owner" text,
	"country" text,
	"region" text,
	"looked_up_at" timestamp (3) with time zone,
	"next_look_up_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ips_ip_unique" UNIQUE("ip")
);
--> statement-breakpoint
CREATE TABLE "network_categories" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "network_categories_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outgoing_links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outgoing_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"network_site_id" integer NOT NULL,
	"url" text NOT NULL,
	"host" text NOT NULL,
	"anchor" text,
	"rel" text,
	"type" text,
	"page" text NOT NULL,
	"key" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"lost_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "network_site_logs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "network_site_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"site_id" integer NOT NULL,
	"status" smallint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "network_sites" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "network_sites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"category_id" integer NOT NULL,
	"domain" text,
	"url" text NOT NULL,
	"host" text GENERATED ALWAYS AS (lower(substring(url from '^[a-zA-Z]+://(?:[^/?#@]*@)?(?:[wW]{3}\.)?(\[[^]]*\]|[^/:?#]+)'))) STORED,
	"status" smallint,
	"http_status_code" smallint,
	"redirect_url" text,
	"ip" text,
	"tls_expires_at" timestamp (3) with time zone,
	"blocked" boolean DEFAULT false NOT NULL,
	"problem" text,
	"misses" smallint DEFAULT 0 NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_google_index" timestamp (3) with time zone,
	"google_asked_at" timestamp (3) with time zone,
	"crawled_at" timestamp (3) with time zone,
	"next_crawl_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"outgoing_links_parsing_error" text,
	"outgoing_links_parsing_failed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "redirect_domains" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "redirect_domains_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"domain" text NOT NULL,
	"redirect_url" text NOT NULL,
	"registered_domain" text,
	"domainkey" text NOT NULL,
	"live_status" smallint,
	"next_check_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "redirect_domains_domain_unique" UNIQUE("domain")
);
--> statement-breakpoint
CREATE TABLE "redirect_tasks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "redirect_tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"domain" text NOT NULL,
	"redirect_url" text NOT NULL,
	"redirect_domain_id" integer,
	"state" text DEFAULT 'running' NOT NULL,
	"steps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"was_there" boolean DEFAULT false NOT NULL,
	"error" text,
	"user_id" integer,
	"username" text,
	"request_id" text,
	"address" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "client_sites" ADD COLUMN "host" text GENERATED ALWAYS AS (lower(substring(url from '^[a-zA-Z]+://(?:[^/?#@]*@)?(?:[wW]{3}\.)?(\[[^]]*\]|[^/:?#]+)'))) STORED;--> statement-breakpoint
ALTER TABLE "client_sites" ADD COLUMN "http_status_code" smallint;--> statement-breakpoint
ALTER TABLE "client_sites" ADD COLUMN "redirect_url" text;--> statement-breakpoint
ALTER TABLE "client_sites" ADD COLUMN "tls_expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "client_sites" ADD COLUMN "blocked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "client_sites" ADD COLUMN "problem" text;--> statement-breakpoint
ALTER TABLE "client_sites" ADD COLUMN "misses" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "client_sites" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "client_sites" ADD COLUMN "next_check_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "client_site_logs" ADD CONSTRAINT "client_site_logs_site_id_client_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."client_sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgoing_links" ADD CONSTRAINT "outgoing_links_network_site_id_network_sites_id_fk" FOREIGN KEY ("network_site_id") REFERENCES "public"."network_sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_site_logs" ADD CONSTRAINT "network_site_logs_site_id_network_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."network_sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_sites" ADD CONSTRAINT "network_sites_category_id_network_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."network_categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "client_site_logs_site" ON "client_site_logs" USING btree ("site_id","created_at","id");--> statement-breakpoint
CREATE INDEX "registrations_due" ON "registrations" USING btree ("next_look_up_at");--> statement-breakpoint
CREATE INDEX "ips_due" ON "ips" USING btree ("next_look_up_at");--> statement-breakpoint
CREATE INDEX "ips_order" ON "ips" USING btree ((ip::inet));--> statement-breakpoint
CREATE UNIQUE INDEX "outgoing_links_key" ON "outgoing_links" USING btree ("network_site_id","key");--> statement-breakpoint
CREATE INDEX "outgoing_links_url" ON "outgoing_links" USING btree ("url","id");--> statement-breakpoint
CREATE INDEX "outgoing_links_host" ON "outgoing_links" USING btree ("host","network_site_id");--> statement-breakpoint
CREATE INDEX "outgoing_links_search" ON "outgoing_links" USING gin ((url || ' ' || coalesce(anchor, '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "network_site_logs_site" ON "network_site_logs" USING btree ("site_id","created_at","id");--> statement-breakpoint
CREATE INDEX "network_sites_category" ON "network_sites" USING btree ("category_id");--> statement-breakpoint
CREATE INDEX "network_sites_due" ON "network_sites" USING btree ("next_check_at");--> statement-breakpoint
CREATE INDEX "network_sites_crawl" ON "network_sites" USING btree ("next_crawl_at");--> statement-breakpoint
CREATE INDEX "network_sites_ip" ON "network_sites" USING btree ("ip");--> statement-breakpoint
CREATE INDEX "network_sites_host" ON "network_sites" USING btree ("host");--> statement-breakpoint
CREATE INDEX "network_sites_domain" ON "network_sites" USING btree ("domain");--> statement-breakpoint
CREATE INDEX "network_sites_url" ON "network_sites" USING btree ("url","id");--> statement-breakpoint
CREATE INDEX "redirect_domains_due" ON "redirect_domains" USING btree ("next_check_at");--> statement-breakpoint
CREATE UNIQUE INDEX "redirect_tasks_running" ON "redirect_tasks" USING btree ("domain") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "redirect_tasks_made" ON "redirect_tasks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "client_sites_due" ON "client_sites" USING btree ("next_check_at") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "client_sites_ip" ON "client_sites" USING btree ("ip") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "client_sites_host" ON "client_sites" USING btree ("host") WHERE deleted_at is null;