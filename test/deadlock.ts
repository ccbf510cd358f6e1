import { onTestFinished } from 'vitest'
import type { App } from '#test/app.ts'

/** Ends these statements (`insert on leads`) of this test with a deadlock, by default every other one. They replace earlier ones. */
export async function causeDeadlocks({ context: { pool } }: App, statements: string, which = '% 2 = 1') {
  const stop = () => pool.query('drop function if exists deadlock cascade; drop sequence if exists deadlocks')
  onTestFinished(async () => void (await stop()))
  await stop()
  await pool.query(`
    create sequence deadlocks;
    create function deadlock() returns trigger language plpgsql as $$ begin
      if nextval('deadlocks') ${which} then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return coalesce(new, old);
    end $$;
    create trigger deadlock before ${statements} for each row execute function deadlock()`)
}
