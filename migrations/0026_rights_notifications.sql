-- Open event streams read a person's rights again as soon as they change, in whichever process and by whichever statement.
CREATE FUNCTION notify_rights_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
BEGIN
  PERFORM pg_notify('leadline_rights', coalesce(changed ->> TG_ARGV[0], ''));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_rights AFTER UPDATE OF role, permissions, is_active, client_id, deleted_at ON users
  FOR EACH ROW WHEN ((OLD.role, OLD.permissions, OLD.is_active, OLD.client_id, OLD.deleted_at) IS DISTINCT FROM
    (NEW.role, NEW.permissions, NEW.is_active, NEW.client_id, NEW.deleted_at))
  EXECUTE FUNCTION notify_rights_change('id');
--> statement-breakpoint
CREATE TRIGGER user_campaigns_rights AFTER INSERT OR DELETE ON user_campaigns
  FOR EACH ROW EXECUTE FUNCTION notify_rights_change('user_id');
--> statement-breakpoint
CREATE TRIGGER sessions_rights AFTER DELETE ON sessions
  FOR EACH ROW EXECUTE FUNCTION notify_rights_change('user_id');
--> statement-breakpoint
CREATE TRIGGER campaigns_rights AFTER UPDATE OF client_id ON campaigns
  FOR EACH ROW WHEN (OLD.client_id IS DISTINCT FROM NEW.client_id)
  EXECUTE FUNCTION notify_rights_change('nobody');
