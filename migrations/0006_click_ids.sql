ALTER TABLE "leads" ADD COLUMN "source_stated" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "gbraid" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "wbraid" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "msclkid" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "fbclid" text;