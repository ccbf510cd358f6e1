-- Whoever is here already knows the place; whoever is made from now on has the tour ahead of them.
ALTER TABLE "users" ADD COLUMN "saw_tour" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "saw_tour" SET DEFAULT false;
