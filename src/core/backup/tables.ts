import type pg from 'pg'

export type BackupTable = { name: string; columns: string[] }

/** Returns the product's tables, each after those that it refers to, with their columns except generated ones. */
export async function listTablesByDependency(
  client: pg.ClientBase,
  excludedTables: readonly string[],
): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable & { refers: string[] }>(
    `select c.relname as name,
       array(select attname::text from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
       array(select distinct confrelid::regclass::text from pg_constraint
         where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as refers
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all ($1::text[])
     order by c.relname`,
    [excludedTables],
  )
  const waiting = [...rows]
  const ordered: BackupTable[] = []
  while (waiting.length > 0) {
    const known = new Set(ordered.map(({ name }) => name))
    const next = waiting.findIndex(({ refers }) =>
      refers.every((other) => known.has(other) || excludedTables.includes(other)),
    )
    // Two tables that refer to each other come in either order.
    for (const { name, columns } of waiting.splice(Math.max(next, 0), 1)) ordered.push({ name, columns })
  }
  return ordered
}

/** Returns whether the table, or its column, is among these; an older release may not have it. */
export const holdsColumn = (tables: readonly BackupTable[], name: string, column?: string): boolean =>
  tables.some((table) => table.name === name && (column === undefined || table.columns.includes(column)))

/** Returns the id sequences with their last values; 0 for an unused one. */
export async function readSequenceCounters(client: pg.ClientBase) {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.relname as table, a.attname as column, pg_get_serial_sequence(format('%I', c.relname), a.attname) as sequence
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attidentity <> '' and not a.attisdropped
     order by 1, 2`,
  )
  const counters: { table: string; column: string; last: number }[] = []
  for (const { table, column, sequence } of rows) {
    const found = await client.query<{ last: string }>(
      `select case when is_called then last_value else 0 end as last from ${sequence}`,
    )
    counters.push({ table, column, last: Number(found.rows[0]!.last) })
  }
  return counters
}

export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`
export const formatTableColumns = ({ name, columns }: BackupTable) =>
  `${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(', ')})`
