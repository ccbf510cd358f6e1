import type pg from 'pg'

/** Lists every object of the product's schema with its definition, sorted; the order of columns, which depends on history, is left out. */
export async function readCatalog(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(catalogQuery)
  return rows.map(({ line }) => line)
}

/** The job queue and Drizzle's own table are in other schemas. */
const catalogQuery = `
  with tables as (
    select oid, relname, reloptions from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))
  select line from (
    select format('table %s %s', relname, reloptions) as line from tables
    union all
    select format('column %s.%s %s%s%s%s', relname, attname, format_type(atttypid, atttypmod),
      case when attnotnull then ' not null' end, ' identity ' || nullif(attidentity::text, ''),
      case attgenerated when '' then ' default ' else ' generated ' end || pg_get_expr(adbin, adrelid))
    from pg_attribute join tables on tables.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    select format('sequence %s %s from %s to %s', relname, format_type(seqtypid, null), seqstart, seqmax) from pg_sequence join pg_class on pg_class.oid = seqrelid
    where relnamespace = 'public'::regnamespace
    union all
    select 'index ' || pg_get_indexdef(indexrelid) from pg_index join tables on tables.oid = indrelid
    union all
    select format('constraint %s %s %s', relname, conname, pg_get_constraintdef(pg_constraint.oid))
    from pg_constraint join tables on tables.oid = conrelid
    union all
    select 'trigger ' || pg_get_triggerdef(pg_trigger.oid, true) from pg_trigger join tables on tables.oid = tgrelid where not tgisinternal
    union all
    select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all
    select 'statistics ' || pg_get_statisticsobjdef(oid) from pg_statistic_ext
    union all
    select 'extension ' || extname from pg_extension
    union all
    select 'type ' || typname from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
  ) objects order by line collate "C"`
