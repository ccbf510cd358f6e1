ALTER TABLE "disputes" DROP CONSTRAINT "disputes_answer";--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "client_id" integer;--> statement-breakpoint
ALTER TABLE "rating_keys" ADD COLUMN "client_id" integer;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_answer" CHECK ((state in ('open', 'settled')) = (answer is null));