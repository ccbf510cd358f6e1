/** What a backup needs to know about the product's tables. The app provides it. */
export type BackupPlan = {
  /** Tables that are left out, because each start fills them again. */
  derivedTables: readonly string[]
  /** Every encrypted column, bound to `table.column:id`; `id` is the key column of the row. */
  encryptedColumns: readonly { table: string; column: string; id: string }[]
  /** SQL that selects the `key` of each uploaded file. */
  uploadKeys: string
  /** SQL that runs after the rows are restored, in the same transaction; skipped if the backup is older than the table, or its column. */
  afterRows: readonly { table: string; column?: string; sql: string }[]
  /**
   * The database is the product's if it has the table `marker`, and in use if one of `rows`, SQL conditions by table, finds a row.
   * The database of an older release may lack some of these tables.
   */
  inUse: { marker: string; rows: Readonly<Record<string, string>> }
}
