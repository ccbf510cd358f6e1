-- The inbox keeps what came in whatever becomes of a lead, and must not wait for whoever changes the keys of leads: a hook that is
-- stored looks at every table that its own refers to. A migration of its own, so that the next one finds it gone.
ALTER TABLE "inbound_events" DROP CONSTRAINT "inbound_events_lead_id_leads_id_fk";
