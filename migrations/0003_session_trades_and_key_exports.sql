ALTER TABLE "sessions" DROP CONSTRAINT "sessions_viewer_session";
--> statement-breakpoint
ALTER TABLE "google_link_states" DROP CONSTRAINT "google_link_states_session_hash_sessions_token_hash_fk";
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "export" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_viewer_session" FOREIGN KEY ("viewer_session") REFERENCES "public"."sessions"("token_hash") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "google_link_states" ADD CONSTRAINT "google_link_states_session_hash_sessions_token_hash_fk" FOREIGN KEY ("session_hash") REFERENCES "public"."sessions"("token_hash") ON DELETE cascade ON UPDATE cascade;